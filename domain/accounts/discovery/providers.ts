/* oxlint-disable max-lines -- a table of data */
/** `host`, `host:port` or `host:port starttls`; implicit TLS and its port unless given. */
type ServerText = string

/** A provider of mailboxes and its servers. */
export interface Provider {
  readonly name: string
  /** Of addresses. */
  readonly domains: readonly string[]
  /** Ends of the names of the hosts that take its mail, also that of customers with domains of their own. */
  readonly mx: readonly string[]
  readonly imap: ServerText
  readonly smtp: ServerText
  /** The IMAP user is the part before the @, for addresses in `domains`. */
  readonly imapUserIsLocalPart?: true
  readonly hint?: string
}

const APP_PASSWORD = 'an app password is needed; the one of the web sign-in is refused'
const IMAP_OFF = 'IMAP has to be switched on in the web settings first'
const GOOGLE =
  'an app password or --oauth google is needed; the password of the web sign-in is refused'
const MICROSOFT = 'passwords are refused; --oauth microsoft is needed'

export const PROVIDERS: readonly Provider[] = [
  {
    name: 'Gmail',
    domains: ['gmail.com', 'googlemail.com'],
    mx: ['google.com', 'googlemail.com'],
    imap: 'imap.gmail.com',
    smtp: 'smtp.gmail.com',
    hint: GOOGLE,
  },
  {
    name: 'Outlook.com',
    domains: [
      'outlook.com',
      'outlook.de',
      'outlook.fr',
      'hotmail.com',
      'hotmail.co.uk',
      'hotmail.de',
      'hotmail.fr',
      'live.com',
      'live.de',
      'msn.com',
      'passport.com',
    ],
    mx: ['olc.protection.outlook.com'],
    imap: 'outlook.office365.com',
    smtp: 'smtp-mail.outlook.com:587 starttls',
    hint: MICROSOFT,
  },
  {
    name: 'Microsoft 365',
    domains: [],
    mx: ['mail.protection.outlook.com', 'mx.microsoft'],
    imap: 'outlook.office365.com',
    smtp: 'smtp.office365.com:587 starttls',
    hint: MICROSOFT,
  },
  {
    name: 'iCloud',
    domains: ['icloud.com', 'me.com', 'mac.com'],
    mx: ['mail.icloud.com'],
    imap: 'imap.mail.me.com',
    smtp: 'smtp.mail.me.com:587 starttls',
    imapUserIsLocalPart: true,
    hint: APP_PASSWORD,
  },
  {
    name: 'AOL',
    domains: ['aol.com', 'aim.com', 'verizon.net'],
    mx: ['mx-aol.mail.gm0.yahoodns.net'],
    imap: 'imap.aol.com',
    smtp: 'smtp.aol.com',
    hint: APP_PASSWORD,
  },
  {
    name: 'Yahoo',
    domains: [
      'yahoo.com',
      'yahoo.co.uk',
      'yahoo.de',
      'yahoo.fr',
      'yahoo.it',
      'yahoo.es',
      'yahoo.ca',
      'yahoo.com.br',
      'yahoo.co.in',
      'ymail.com',
      'rocketmail.com',
    ],
    mx: ['yahoodns.net'],
    imap: 'imap.mail.yahoo.com',
    smtp: 'smtp.mail.yahoo.com',
    hint: APP_PASSWORD,
  },
  {
    name: 'GMX',
    domains: ['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch'],
    mx: ['mx00.gmx.net', 'mx01.gmx.net'],
    imap: 'imap.gmx.net',
    smtp: 'mail.gmx.net',
    hint: IMAP_OFF,
  },
  {
    name: 'GMX (international)',
    domains: ['gmx.com', 'gmx.us', 'gmx.co.uk', 'gmx.fr', 'gmx.es'],
    mx: ['mx00.gmx.com', 'mx01.gmx.com'],
    imap: 'imap.gmx.com',
    smtp: 'mail.gmx.com',
    hint: IMAP_OFF,
  },
  {
    name: 'WEB.DE',
    domains: ['web.de'],
    mx: ['mx-ha.web.de'],
    imap: 'imap.web.de',
    smtp: 'smtp.web.de:587 starttls',
    hint: IMAP_OFF,
  },
  {
    name: 'T-Online',
    domains: ['t-online.de', 'magenta.de'],
    mx: ['t-online.de'],
    imap: 'secureimap.t-online.de',
    smtp: 'securesmtp.t-online.de',
    hint: 'the password for mail programs is set apart from the one for the web',
  },
  {
    name: 'freenet',
    domains: ['freenet.de'],
    mx: ['emig.freenet.de'],
    imap: 'mx.freenet.de',
    smtp: 'mx.freenet.de:587 starttls',
  },
  {
    name: 'mailbox.org',
    domains: ['mailbox.org'],
    mx: ['mailbox.org'],
    imap: 'imap.mailbox.org',
    smtp: 'smtp.mailbox.org',
  },
  {
    name: 'Posteo',
    domains: ['posteo.de', 'posteo.net', 'posteo.org', 'posteo.eu', 'posteo.at', 'posteo.ch'],
    mx: ['posteo.de'],
    imap: 'posteo.de',
    smtp: 'posteo.de',
  },
  {
    name: 'Fastmail',
    domains: ['fastmail.com', 'fastmail.fm', 'sent.com', 'messagingengine.com'],
    mx: ['messagingengine.com'],
    imap: 'imap.fastmail.com',
    smtp: 'smtp.fastmail.com',
    hint: APP_PASSWORD,
  },
  {
    name: 'Proton Mail Bridge',
    domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'],
    mx: ['protonmail.ch'],
    imap: '127.0.0.1:1143 starttls',
    smtp: '127.0.0.1:1025 starttls',
    hint: 'Proton Mail Bridge has to run here, and its own password and certificate are needed',
  },
  {
    name: 'Zoho (Europe)',
    domains: ['zohomail.eu'],
    mx: ['zoho.eu'],
    imap: 'imap.zoho.eu',
    smtp: 'smtp.zoho.eu',
    hint: IMAP_OFF,
  },
  {
    name: 'Zoho',
    domains: ['zoho.com', 'zohomail.com'],
    mx: ['zoho.com'],
    imap: 'imap.zoho.com',
    smtp: 'smtp.zoho.com',
    hint: IMAP_OFF,
  },
  {
    name: 'Yandex',
    domains: ['yandex.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'ya.ru'],
    mx: ['mx.yandex.ru', 'mx.yandex.net'],
    imap: 'imap.yandex.com',
    smtp: 'smtp.yandex.com',
    hint: APP_PASSWORD,
  },
  {
    name: 'Mail.ru',
    domains: ['mail.ru', 'inbox.ru', 'list.ru', 'bk.ru', 'internet.ru'],
    mx: ['mail.ru'],
    imap: 'imap.mail.ru',
    smtp: 'smtp.mail.ru',
    hint: APP_PASSWORD,
  },
  {
    name: 'IONOS (1&1)',
    domains: ['online.de', 'onlinehome.de'],
    mx: ['kundenserver.de', 'ionos.de'],
    imap: 'imap.ionos.de',
    smtp: 'smtp.ionos.de',
  },
  {
    name: 'IONOS (international)',
    domains: [],
    mx: ['ionos.com', 'perfora.net', '1and1.com'],
    imap: 'imap.ionos.com',
    smtp: 'smtp.ionos.com',
  },
  {
    name: 'STRATO',
    domains: [],
    mx: ['rzone.de'],
    imap: 'imap.strato.de',
    smtp: 'smtp.strato.de',
  },
  {
    name: 'OVHcloud',
    domains: [],
    mx: [
      'mx0.mail.ovh.net',
      'mx1.mail.ovh.net',
      'mx2.mail.ovh.net',
      'mx3.mail.ovh.net',
      'mx4.mail.ovh.net',
    ],
    imap: 'ssl0.ovh.net',
    smtp: 'ssl0.ovh.net',
  },
  {
    name: 'Infomaniak',
    domains: ['ik.me', 'ikmail.com', 'etik.com'],
    mx: ['infomaniak.ch'],
    imap: 'mail.infomaniak.com',
    smtp: 'mail.infomaniak.com',
  },
  {
    name: 'Gandi',
    domains: [],
    mx: ['mail.gandi.net'],
    imap: 'mail.gandi.net',
    smtp: 'mail.gandi.net',
  },
  {
    name: 'Migadu',
    domains: [],
    mx: ['migadu.com'],
    imap: 'imap.migadu.com',
    smtp: 'smtp.migadu.com',
  },
  {
    name: 'Runbox',
    domains: ['runbox.com'],
    mx: ['runbox.com'],
    imap: 'mail.runbox.com',
    smtp: 'mail.runbox.com',
  },
  {
    name: 'Purelymail',
    domains: ['purelymail.com'],
    mx: ['purelymail.com'],
    imap: 'imap.purelymail.com',
    smtp: 'smtp.purelymail.com',
  },
  {
    name: 'Hostinger',
    domains: [],
    mx: ['hostinger.com'],
    imap: 'imap.hostinger.com',
    smtp: 'smtp.hostinger.com',
  },
  {
    name: 'Rackspace Email',
    domains: [],
    mx: ['emailsrvr.com'],
    imap: 'secure.emailsrvr.com',
    smtp: 'secure.emailsrvr.com',
  },
  {
    name: 'Comcast',
    domains: ['comcast.net'],
    mx: ['comcast.net'],
    imap: 'imap.comcast.net',
    smtp: 'smtp.comcast.net',
  },
  {
    name: 'Orange',
    domains: ['orange.fr', 'wanadoo.fr'],
    mx: ['orange.fr'],
    imap: 'imap.orange.fr',
    smtp: 'smtp.orange.fr',
  },
  {
    name: 'Free',
    domains: ['free.fr'],
    mx: ['mx1.free.fr', 'mx2.free.fr'],
    imap: 'imap.free.fr',
    smtp: 'smtp.free.fr',
  },
  {
    name: 'La Poste',
    domains: ['laposte.net'],
    mx: ['laposte.net'],
    imap: 'imap.laposte.net',
    smtp: 'smtp.laposte.net',
  },
  {
    name: 'Seznam',
    domains: ['seznam.cz', 'email.cz', 'post.cz'],
    mx: ['seznam.cz'],
    imap: 'imap.seznam.cz',
    smtp: 'smtp.seznam.cz',
  },
]
