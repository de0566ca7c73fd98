import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The program file of the command line, in the sources and in a build alike. */
export const programPath = (): string =>
  fileURLToPath(new URL(`../../cli/main${extname(import.meta.url)}`, import.meta.url))
