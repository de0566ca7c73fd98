import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { ENVIRONMENT_PREFIX } from '../../domain/identity.ts'
import type { Config, OAuthSettings } from '../ports/config.ts'
import { nearestName } from './nearest-name.ts'
import {
  fileUrl,
  hasProtocol,
  isFileUrl,
  isHost,
  isListeningUrl,
  isNetwork,
  isOrigin,
  isSecretUrl,
  urlOf,
} from './setting-values.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** A setting has a value that cannot be used; the message is for the person who started it. */
export class InvalidConfiguration extends Error {
  override readonly name = 'InvalidConfiguration'
}

const SECRET_LENGTH_MIN = 16
/** Mozilla's database of mail providers; it learns the domain of an address, never the address. */
const AUTOCONFIG_DATABASE = 'https://autoconfig.thunderbird.net/v1.1/{domain}'

const integer = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `a whole number from ${min} to ${max}`,
    })
    .transform(Number)

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: `one of: ${values.join(', ')}` })

const listOf = (isItem: (item: string) => boolean, expected: string) =>
  z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter((item) => item !== ''))
    .refine((items) => items.every(isItem), { error: expected })

const checked = (isValue: (text: string) => boolean, expected: string) =>
  z.string().refine(isValue, { error: expected })

const secret = checked(
  (text) => text.length >= SECRET_LENGTH_MIN,
  `at least ${SECRET_LENGTH_MIN} characters`,
)

const endpoint = checked(isSecretUrl, 'an https URL, or an http URL on this machine').optional()

/** Every setting by its name without the prefix; the error of each says what is expected. */
const settings = z.object({
  HOST: checked(isHost, 'a host name or an IP address, without a port').default('127.0.0.1'),
  PORT: integer(0, 65_535).default(8083),
  BASE_URL: checked(
    (text) => hasProtocol(text, ['http:', 'https:']) && !/[?#]/.test(text),
    'an http or https URL',
  )
    .transform((text) => text.replace(/\/+$/, ''))
    .optional(),
  DATA_DIR: checked((text) => !text.includes('\0'), 'a folder').default('data'),
  DATABASE_URL: checked(
    isFileUrl,
    'a file URL such as file:/srv/svc/svc.db (a database server is not supported)',
  ).optional(),
  DATABASE_TOKEN: z.string().optional(),
  SECRET: secret.optional(),
  SIDECAR_URL: checked(isListeningUrl, 'an http URL with a port and no path').optional(),
  SIDECAR_SECRET: secret.optional(),
  API_RATE_LIMIT: integer(0, 1_000_000).default(120),
  LICENCE_KEY: z.string().optional(),
  WEBHOOK_NETWORKS: oneOf(['private', 'public']).default('private'),
  AUTOCONFIG_DATABASE: checked(
    (text) =>
      text === 'off' || (hasProtocol(text, ['http:', 'https:']) && text.includes('{domain}')),
    'an http or https URL with {domain} in it, or off',
  ).default(AUTOCONFIG_DATABASE),
  OAUTH_GOOGLE_CLIENT_ID: z.string().optional(),
  OAUTH_GOOGLE_CLIENT_SECRET: z.string().optional(),
  OAUTH_GOOGLE_AUTH_URL: endpoint,
  OAUTH_GOOGLE_TOKEN_URL: endpoint,
  OAUTH_GOOGLE_DEVICE_URL: endpoint,
  OAUTH_MICROSOFT_CLIENT_ID: z.string().optional(),
  OAUTH_MICROSOFT_CLIENT_SECRET: z.string().optional(),
  OAUTH_MICROSOFT_AUTH_URL: endpoint,
  OAUTH_MICROSOFT_TOKEN_URL: endpoint,
  OAUTH_MICROSOFT_DEVICE_URL: endpoint,
  EXTERNAL_BURST_LIMIT: integer(0, 1_000_000).default(200),
  CORS_ORIGINS: listOf(
    isOrigin,
    'origins such as https://app.example.com, separated by commas',
  ).default([]),
  TRUSTED_PROXIES: listOf(
    isNetwork,
    'IP addresses or networks such as 10.0.0.0/8, separated by commas',
  ).default([]),
  LOG_LEVEL: oneOf(['debug', 'info', 'warn', 'error']).default('info'),
  AUTOMATION: oneOf(['on', 'off']).default('on'),
})

type SettingName = keyof typeof settings.shape

const SECRET_SETTINGS: ReadonlySet<string> = new Set<SettingName>([
  'DATABASE_TOKEN',
  'SECRET',
  'SIDECAR_SECRET',
  'LICENCE_KEY',
  'OAUTH_GOOGLE_CLIENT_SECRET',
  'OAUTH_MICROSOFT_CLIENT_SECRET',
])

/** Names that only the command line reads. */
const COMMAND_LINE_NAMES = ['URL', 'TOKEN', 'PASSWORD', 'SMTP_PASSWORD']

const KNOWN_NAMES = [...Object.keys(settings.shape), ...COMMAND_LINE_NAMES].map(
  (name) => ENVIRONMENT_PREFIX + name,
)

/** Reads the environment of this process. */
export const loadConfig = (): Config => parseConfig(process.env)

/** Passwords that were handed over in the environment, for commands that would otherwise ask. */
export const passwordsInEnvironment = () => ({
  imap: process.env[`${ENVIRONMENT_PREFIX}PASSWORD`],
  smtp: process.env[`${ENVIRONMENT_PREFIX}SMTP_PASSWORD`],
})

/**
 * The configuration that `environment` asks for. An empty value counts as absent. Throws `InvalidConfiguration`,
 * which names the variable, its value unless it is a secret, and what is expected.
 */
export function parseConfig(environment: Environment): Config {
  const given = Object.fromEntries(
    Object.keys(settings.shape).map((name) => [
      name,
      environment[ENVIRONMENT_PREFIX + name] || undefined,
    ]),
  )
  const parsed = settings.safeParse(given)
  if (!parsed.success) throw invalid(parsed.error, environment)
  return config(parsed.data)
}

/** A line for each `SVC_*` name that nothing reads: most likely a typing error. */
export function unknownSettings(environment: Environment = process.env): readonly string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith(ENVIRONMENT_PREFIX) && !KNOWN_NAMES.includes(name))
    .map((name) => {
      const nearest = nearestName(name, KNOWN_NAMES)
      return `${name} is not a setting${nearest ? `; did you mean ${nearest}?` : '.'}`
    })
}

function config(given: z.output<typeof settings>): Config {
  const dataDir = resolve(given.DATA_DIR)
  const databaseUrl = given.DATABASE_URL
    ? fileUrl(given.DATABASE_URL)
    : pathToFileURL(join(dataDir, 'svc.db')).href
  return {
    host: given.HOST,
    port: given.PORT,
    baseUrl: given.BASE_URL ?? urlOf(given.HOST, given.PORT),
    dataDir,
    databaseUrl,
    ...present('databaseToken', given.DATABASE_TOKEN),
    ...present('secret', given.SECRET),
    ...present('sidecarUrl', given.SIDECAR_URL),
    ...present('sidecarSecret', given.SIDECAR_SECRET),
    apiRateLimit: given.API_RATE_LIMIT,
    ...present('licenceKey', given.LICENCE_KEY),
    webhookNetworks: given.WEBHOOK_NETWORKS,
    ...present(
      'autoconfigDatabase',
      given.AUTOCONFIG_DATABASE === 'off' ? undefined : given.AUTOCONFIG_DATABASE,
    ),
    oauth: { google: oauth(given, 'GOOGLE'), microsoft: oauth(given, 'MICROSOFT') },
    externalBurstLimit: given.EXTERNAL_BURST_LIMIT,
    corsOrigins: given.CORS_ORIGINS,
    trustedProxies: given.TRUSTED_PROXIES,
    logLevel: given.LOG_LEVEL,
    automation: given.AUTOMATION === 'on',
  }
}

const oauth = (
  given: z.output<typeof settings>,
  provider: 'GOOGLE' | 'MICROSOFT',
): OAuthSettings => ({
  ...present('clientId', given[`OAUTH_${provider}_CLIENT_ID`]),
  ...present('clientSecret', given[`OAUTH_${provider}_CLIENT_SECRET`]),
  ...present('authUrl', given[`OAUTH_${provider}_AUTH_URL`]),
  ...present('tokenUrl', given[`OAUTH_${provider}_TOKEN_URL`]),
  ...present('deviceUrl', given[`OAUTH_${provider}_DEVICE_URL`]),
})

/** Fixes the port that the system chose for the port 0, in the default base URL too. */
export function withPort(config: Config, port: number): Config {
  if (config.port !== 0) return config
  return { ...config, port, baseUrl: config.baseUrl.replace(/:0$/, `:${port}`) }
}

function invalid(error: z.ZodError, environment: Environment): InvalidConfiguration {
  const issue = error.issues[0]
  const name = String(issue?.path[0])
  const value = environment[ENVIRONMENT_PREFIX + name] ?? ''
  const shown = SECRET_SETTINGS.has(name) ? 'a secret that is not shown' : JSON.stringify(value)
  return new InvalidConfiguration(
    `${ENVIRONMENT_PREFIX}${name} is ${shown}, but must be ${issue?.message}.`,
  )
}

const present = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [N in Name]?: Value }
