/** A message that says what its subject does, with these header fields besides. */
export const smallMail = (subject: string, headers: readonly string[] = []) =>
  [
    'From: Grace <grace@example.org>',
    'To: ada@example.org',
    `Subject: ${subject}`,
    `Message-ID: <${subject.replaceAll(' ', '-')}@example.org>`,
    'Date: Sun, 01 Mar 2026 12:00:00 +0000',
    ...headers,
    '',
    `Text of ${subject}.`,
    '',
  ].join('\r\n')
