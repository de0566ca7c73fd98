/** A small message that has just been written, with a subject of its own. */
export function newMessage(subject: string): string {
  const id = subject.replaceAll(' ', '-')
  return (
    `From: Sender 1 <sender1@bench.test>\r\nTo: Reader <reader@bench.test>\r\nSubject: ${subject}\r\n` +
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}\r\nMessage-ID: <${id}@bench.test>\r\n` +
    `\r\nThis just came.\r\n`
  )
}
