import type { Config } from '../../runtime/ports/config.ts'

/** The defaults of a service that nobody configured. */
export const TEST_CONFIG: Config = {
  host: '127.0.0.1',
  port: 8083,
  baseUrl: 'https://mail.example.org',
  dataDir: '/nowhere',
  databaseUrl: 'file:/nowhere',
  apiRateLimit: 0,
  webhookNetworks: 'private',
  oauth: { google: {}, microsoft: {} },
  externalBurstLimit: 200,
  corsOrigins: [],
  trustedProxies: [],
  logLevel: 'error',
  automation: true,
}
