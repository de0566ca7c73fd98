/** How long this thread has computed so far, in milliseconds: what others do on the machine meanwhile does not count. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
