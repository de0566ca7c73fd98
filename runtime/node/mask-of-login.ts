import { maskOf } from '../../domain/mask.ts'
import type { Login } from '../ports/mail-server.ts'

/** Hides what this login sends to a mail server, wherever the server repeats it. */
export const maskOfLogin = (login: Login): ((text: string) => string) =>
  maskOf([login.kind === 'oauth' ? login.accessToken : login.password])
