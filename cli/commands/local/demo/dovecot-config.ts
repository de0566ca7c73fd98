import type { Certificate } from './certificate.ts'

/** What a Dovecot of ours is started with. */
export interface DovecotSettings {
  readonly directory: string
  /** Told in the greeting, so that nobody takes another server on the same port for this one. */
  readonly greeting: string
  readonly certificate: Certificate
  readonly ports: { readonly imap: number; readonly imaps: number; readonly lmtp: number }
  /** Capabilities that are not advertised; Dovecot still obeys them. */
  readonly without: readonly string[]
  /** Whether the folders carry SPECIAL-USE attributes (RFC 6154). */
  readonly specialUse: boolean
  /** Offers COMPRESS=DEFLATE (RFC 4978). */
  readonly compresses: boolean
  /** Obeys the `dovecot-acl` files in the folders of users (RFC 4314). */
  readonly obeysRights: boolean
  /** How many messages a user may have; absent: any number. */
  readonly messagesMax?: number
  /** Where access tokens are asked about (RFC 7662); absent: only passwords let in. */
  readonly introspectionUrl?: string
  /** Owner of all mail. */
  readonly owner: { readonly uid: number; readonly gid: number }
  /** The account everything runs as where we are not root. */
  readonly runAs?: { readonly user: string; readonly group: string }
}

// Dovecot 2.3 takes either its own list or a complete one, so hiding one capability means naming all others.
const CAPABILITIES =
  'IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE IDLE SORT SORT=DISPLAY THREAD=REFERENCES THREAD=REFS ' +
  'THREAD=ORDEREDSUBJECT MULTIAPPEND URL-PARTIAL CATENATE UNSELECT CHILDREN NAMESPACE UIDPLUS LIST-EXTENDED ' +
  'I18NLEVEL=1 CONDSTORE QRESYNC ESEARCH ESORT SEARCHRES WITHIN CONTEXT=SEARCH LIST-STATUS BINARY MOVE ' +
  'SNIPPET=FUZZY PREVIEW=FUZZY PREVIEW STATUS=SIZE SAVEDATE LITERAL+ NOTIFY SPECIAL-USE'

const SPECIAL_FOLDERS = ['Sent', 'Drafts', 'Archive', 'Junk', 'Trash']

/**
 * The file with the password of one user. A file each, because Dovecot looks for changes of a file it knows only
 * once a second.
 */
export const userFile = (directory: string, user: string) => `${directory}/users/${user}`

export const logFile = (directory: string) => `${directory}/dovecot.log`

/** A user's home; the mail is in `Maildir` below it. */
export const homeOf = (directory: string, user: string) => `${directory}/mail/${user}`

/** What Dovecot knows of OAuth2. */
export const oauthFile = (directory: string) => `${directory}/dovecot-oauth2.conf`

/** Tokens are good for the mailbox that the introspection names as `username`. */
export const oauthConfig = (introspectionUrl: string): string => `
introspection_mode = post
introspection_url = ${introspectionUrl}
force_introspection = yes
username_attribute = username
username_format = %Ln
active_attribute = active
active_value = true
`

/** The configuration (Dovecot 2.3) of a server on loopback that keeps all it has in one directory. */
export function dovecotConfig(settings: DovecotSettings): string {
  const { directory, certificate, owner } = settings
  return `
base_dir = ${directory}/run
state_dir = ${directory}/state
log_path = ${logFile(directory)}
instance_name = ${settings.greeting}
login_greeting = ${settings.greeting}
listen = 127.0.0.1
protocols = imap lmtp
ssl = yes
ssl_cert = <${certificate.certFile}
ssl_key = <${certificate.keyFile}
disable_plaintext_auth = no
auth_mechanisms = plain login ${settings.introspectionUrl === undefined ? '' : 'xoauth2'}
auth_username_format = %Ln
# Tests try many wrong passwords; Dovecot still takes half a second for each.
auth_failure_delay = 0
${accessTokens(settings)}
passdb {
  driver = passwd-file
  mechanisms = plain login none lookup
  args = scheme=PLAIN username_format=%n ${userFile(directory, '%n')}
}
userdb {
  driver = static
  args = uid=${owner.uid} gid=${owner.gid} home=${homeOf(directory, '%n')}
}
mail_uid = ${owner.uid}
mail_gid = ${owner.gid}
first_valid_uid = ${owner.uid}
first_valid_gid = ${owner.gid}
mail_location = maildir:~/Maildir:LAYOUT=fs:UTF-8
mail_fsync = never
default_process_limit = 600
default_client_limit = 4000
protocol imap {
  mail_max_userip_connections = 200
  mail_plugins = $mail_plugins ${settings.compresses ? 'imap_zlib' : ''} ${settings.obeysRights ? 'acl' : ''} ${settings.messagesMax === undefined ? '' : 'quota'}
}
${settings.obeysRights ? 'plugin {\n  acl = vfile\n}' : ''}
${settings.messagesMax === undefined ? '' : `plugin {\n  quota = count:User\n  quota_vsizes = yes\n  quota_rule = *:messages=${settings.messagesMax}\n}`}
protocol lmtp {
  postmaster_address = postmaster@localhost
}
${capabilities(settings)}
${folders(settings.specialUse)}
${services(settings)}
`
}

function accessTokens({ directory, introspectionUrl }: DovecotSettings): string {
  if (introspectionUrl === undefined) return ''
  return `
passdb {
  driver = oauth2
  mechanisms = xoauth2
  args = ${oauthFile(directory)}
}`
}

function capabilities({ without, specialUse }: DovecotSettings): string {
  const hidden = new Set(specialUse ? without : [...without, 'SPECIAL-USE'])
  if (hidden.size === 0) return ''
  const shown = CAPABILITIES.split(' ').filter((capability) => !hidden.has(capability))
  return `imap_capability = ${shown.join(' ')}`
}

function folders(specialUse: boolean): string {
  const folder = (name: string) => `
  mailbox ${name} {
    auto = subscribe
    ${specialUse ? `special_use = \\${name}` : ''}
  }`
  return `
namespace inbox {
  inbox = yes
  separator = /${SPECIAL_FOLDERS.map(folder).join('')}
}`
}

function services({ ports, runAs }: DovecotSettings): string {
  const lmtpUser = runAs === undefined ? '' : `user = ${runAs.user}`
  return `
service imap-login {
  service_count = 0
  process_min_avail = 1
  inet_listener imap {
    port = ${ports.imap}
  }
  inet_listener imaps {
    port = ${ports.imaps}
    ssl = yes
  }
}
service lmtp {
  ${lmtpUser}
  inet_listener lmtp {
    port = ${ports.lmtp}
  }
}
# It reads the users' files, which are for their owner only.
service auth {
  user = ${runAs?.user ?? 'root'}
}
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  unix_listener stats-writer {
    mode = 0666
  }
}
${runAs === undefined ? '' : rootless(runAs)}`
}

/** Without root no process can change its user or its root directory. */
function rootless({ user, group }: { user: string; group: string }): string {
  const unrooted = ['anvil', 'imap-login', 'imap-urlauth-login', 'ipc', 'old-stats']
  return `
default_internal_user = ${user}
default_internal_group = ${group}
default_login_user = ${user}
service auth-worker {
  user = ${user}
}
${unrooted.map((name) => `service ${name} {\n  chroot =\n}`).join('\n')}`
}
