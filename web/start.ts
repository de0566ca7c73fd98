import { watchConnection } from './start/connection.ts'
import { byId, setText } from './start/dom.ts'
import { offerCopies } from './start/copy.ts'
import { watchMail } from './start/session.ts'

setText(byId('origin'), location.origin)
offerCopies()
void watchConnection(new AbortController().signal)
watchMail()
