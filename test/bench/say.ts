/** Tells on standard error what is done now; the figures alone are on standard output. */
export function say(what: string): void {
  process.stderr.write(`\n${process.uptime().toFixed(0)} s: ${what}\n`)
}
