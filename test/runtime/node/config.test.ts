import { expect, test } from 'vitest'
import {
  InvalidConfiguration,
  parseConfig,
  unknownSettings,
  withPort,
} from '../../../runtime/node/config.ts'

test('an empty environment gives the defaults', () => {
  expect(parseConfig({ SVC_DATA_DIR: '/srv/svc', SVC_PORT: '' })).toEqual({
    host: '127.0.0.1',
    port: 8083,
    baseUrl: 'http://127.0.0.1:8083',
    dataDir: '/srv/svc',
    databaseUrl: 'file:///srv/svc/svc.db',
    apiRateLimit: 120,
    webhookNetworks: 'private',
    autoconfigDatabase: 'https://autoconfig.thunderbird.net/v1.1/{domain}',
    oauth: { google: {}, microsoft: {} },
    externalBurstLimit: 200,
    corsOrigins: [],
    trustedProxies: [],
    logLevel: 'info',
    automation: true,
  })
})

test('every setting is taken over', () => {
  const config = parseConfig({
    SVC_HOST: '::',
    SVC_PORT: '80',
    SVC_BASE_URL: 'https://mail.example.com/svc/',
    SVC_DATA_DIR: '/srv/my data',
    SVC_DATABASE_TOKEN: 'token',
    SVC_SECRET: 'sixteen letters!',
    SVC_SIDECAR_URL: 'http://10.0.0.2:9000',
    SVC_SIDECAR_SECRET: 'sixteen letters?',
    SVC_API_RATE_LIMIT: '0',
    SVC_LICENCE_KEY: 'key',
    SVC_WEBHOOK_NETWORKS: 'public',
    SVC_AUTOCONFIG_DATABASE: 'http://lan.test/{domain}.xml',
    SVC_OAUTH_GOOGLE_CLIENT_ID: 'id',
    SVC_OAUTH_GOOGLE_CLIENT_SECRET: 'hush',
    SVC_OAUTH_GOOGLE_AUTH_URL: 'https://auth.test/',
    SVC_OAUTH_GOOGLE_TOKEN_URL: 'http://127.0.0.1:7/token',
    SVC_OAUTH_GOOGLE_DEVICE_URL: 'http://[::1]/device',
    SVC_OAUTH_MICROSOFT_CLIENT_ID: 'other',
    SVC_OAUTH_MICROSOFT_CLIENT_SECRET: 'hidden',
    SVC_OAUTH_MICROSOFT_AUTH_URL: 'http://localhost/auth',
    SVC_OAUTH_MICROSOFT_TOKEN_URL: 'https://token.test/',
    SVC_OAUTH_MICROSOFT_DEVICE_URL: 'https://device.test/',
    SVC_EXTERNAL_BURST_LIMIT: '7',
    SVC_CORS_ORIGINS: 'https://a.example, http://localhost:3000',
    SVC_TRUSTED_PROXIES: '10.0.0.0/8 ::1',
    SVC_LOG_LEVEL: 'debug',
    SVC_AUTOMATION: 'off',
  })
  expect(config).toEqual({
    host: '::',
    port: 80,
    baseUrl: 'https://mail.example.com/svc',
    dataDir: '/srv/my data',
    databaseUrl: 'file:///srv/my%20data/svc.db',
    databaseToken: 'token',
    secret: 'sixteen letters!',
    sidecarUrl: 'http://10.0.0.2:9000',
    sidecarSecret: 'sixteen letters?',
    apiRateLimit: 0,
    licenceKey: 'key',
    webhookNetworks: 'public',
    autoconfigDatabase: 'http://lan.test/{domain}.xml',
    oauth: {
      google: {
        clientId: 'id',
        clientSecret: 'hush',
        authUrl: 'https://auth.test/',
        tokenUrl: 'http://127.0.0.1:7/token',
        deviceUrl: 'http://[::1]/device',
      },
      microsoft: {
        clientId: 'other',
        clientSecret: 'hidden',
        authUrl: 'http://localhost/auth',
        tokenUrl: 'https://token.test/',
        deviceUrl: 'https://device.test/',
      },
    },
    externalBurstLimit: 7,
    corsOrigins: ['https://a.example', 'http://localhost:3000'],
    trustedProxies: ['10.0.0.0/8', '::1'],
    logLevel: 'debug',
    automation: false,
  })
})

test.each([
  ['SVC_HOST', 'localhost:8083'],
  ['SVC_HOST', 'http://localhost'],
  ['SVC_HOST', 'a b'],
  ['SVC_PORT', '65536'],
  ['SVC_PORT', '-1'],
  ['SVC_PORT', '80.5'],
  ['SVC_PORT', '0x50'],
  ['SVC_PORT', ' 80'],
  ['SVC_BASE_URL', 'mail.example.com'],
  ['SVC_OAUTH_GOOGLE_TOKEN_URL', 'http://oauth.example.com/token'],
  ['SVC_OAUTH_MICROSOFT_DEVICE_URL', 'http://127.0.0.1.example.com/'],
  ['SVC_BASE_URL', 'ftp://mail.example.com'],
  ['SVC_BASE_URL', 'https://mail.example.com/?x=1'],
  ['SVC_DATABASE_URL', 'libsql://db.example.com'],
  ['SVC_DATABASE_URL', 'file://host/svc.db'],
  ['SVC_DATABASE_URL', 'file:/srv/svc.db?mode=ro'],
  ['SVC_DATABASE_URL', '/srv/svc.db'],
  ['SVC_SIDECAR_URL', 'https://10.0.0.2:9000'],
  ['SVC_SIDECAR_URL', 'http://10.0.0.2'],
  ['SVC_SIDECAR_URL', 'http://10.0.0.2:9000/path'],
  ['SVC_API_RATE_LIMIT', 'many'],
  ['SVC_API_RATE_LIMIT', '1e3'],
  ['SVC_WEBHOOK_NETWORKS', 'all'],
  ['SVC_AUTOCONFIG_DATABASE', 'https://lan.test/'],
  ['SVC_EXTERNAL_BURST_LIMIT', '-5'],
  ['SVC_CORS_ORIGINS', '*'],
  ['SVC_CORS_ORIGINS', 'https://a.example/'],
  ['SVC_TRUSTED_PROXIES', '10.0.0.0/33'],
  ['SVC_TRUSTED_PROXIES', 'proxy.example'],
  ['SVC_LOG_LEVEL', 'verbose'],
  ['SVC_AUTOMATION', 'yes'],
])('%s=%s is refused, naming the variable and its value', (name, value) => {
  const parse = () => parseConfig({ [name]: value })
  expect(parse).toThrow(InvalidConfiguration)
  expect(parse).toThrow(`${name} is ${JSON.stringify(value)}, but must be `)
})

test.each(['SVC_SECRET', 'SVC_SIDECAR_SECRET'])(
  'a short %s is refused without showing it',
  (name) => {
    expect(() => parseConfig({ [name]: 'hunter2' })).toThrow(
      `${name} is a secret that is not shown, but must be at least 16 characters.`,
    )
  },
)

test('a relative database file is found from the working directory', () => {
  expect(parseConfig({ SVC_DATABASE_URL: 'file:svc.db' }).databaseUrl).toBe(
    `file://${process.cwd()}/svc.db`,
  )
})

test('unknown names are told, with the nearest known one', () => {
  const environment = {
    SVC_PROT: '1',
    SVC_LICENSE_KEY: 'x',
    SVC_SOMETHING_ELSE: 'x',
    SVC_URL: 'x',
    SVC_TOKEN: 'x',
    SVC_PORT: '1',
    PATH: '/bin',
  }
  expect(unknownSettings(environment)).toEqual([
    'SVC_PROT is not a setting; did you mean SVC_PORT?',
    'SVC_LICENSE_KEY is not a setting; did you mean SVC_LICENCE_KEY?',
    'SVC_SOMETHING_ELSE is not a setting.',
  ])
})

test('a port that the system chose is part of the default base URL only', () => {
  const chosen = withPort(parseConfig({ SVC_PORT: '0' }), 5123)
  expect(chosen).toMatchObject({ port: 5123, baseUrl: 'http://127.0.0.1:5123' })
  const set = withPort(parseConfig({ SVC_PORT: '0', SVC_BASE_URL: 'https://a.example' }), 5123)
  expect(set).toMatchObject({ port: 5123, baseUrl: 'https://a.example' })
})
