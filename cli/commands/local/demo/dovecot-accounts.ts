import { execFileSync } from 'node:child_process'
import { userInfo } from 'node:os'

import type { DovecotSettings } from './dovecot-config.ts'

/** Owner of the mail where we are root, whom Dovecot does not let own mail; needs no passwd entry. */
const MAIL_OWNER = { uid: 5000, gid: 5000 }

/** The accounts Dovecot's processes run as: its own where we are root, else ours for everything. */
export function dovecotAccounts(): Pick<DovecotSettings, 'owner' | 'runAs'> {
  const { uid, gid, username } = userInfo()
  if (uid === 0) return { owner: MAIL_OWNER }
  const group = execFileSync('id', ['-gn'], { encoding: 'utf8' }).trim()
  return { owner: { uid, gid }, runAs: { user: username, group } }
}
