import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** An answer that stands in for what the token endpoint would say. */
interface ScriptedAnswer {
  readonly status: number
  readonly body: string
}

interface IssuedToken {
  readonly mailbox: string
  isGood: boolean
}

/** Somebody was sent to us, by a browser or by a device code. */
interface Authorisation {
  readonly mailbox: string
  readonly redirectUri: string
  readonly codeChallenge: string
}

interface DeviceCode {
  readonly deviceCode: string
  decision: 'authorization_pending' | 'access_denied' | 'expired_token' | { mailbox: string }
  lastPollMs: number
}

const CLIENT = { id: 'lab-client', secret: 'lab-client-secret' }
/** Of RFC 8628, in seconds; as short as it may be. */
const INTERVAL_S = 1

/**
 * A provider of OAuth2 on loopback: the authorise page, the token and device endpoints, and the introspection that a
 * mail server asks (RFC 6749, RFC 7636, RFC 7662, RFC 8628). It refuses whatever a real one would.
 */
export class LabOAuthProvider {
  readonly client = CLIENT
  readonly url: string
  /** The grant types that came to the token endpoint, in order. */
  readonly tokenRequests: string[] = []
  /** Every secret it ever gave out. */
  readonly secrets: string[] = []
  /** Who is signed in with the browser, and authorises whatever is asked. */
  signedIn = ''
  /** Whether the token endpoint also sends an ID token that names the mailbox. */
  sendsIdTokens = false
  /** How long access tokens are said to be good. */
  expiresInS = 3_600
  /** While set, what the token endpoint says to everything. */
  scripted: ScriptedAnswer | undefined
  /** How long the token endpoint thinks. */
  delayMs = 0
  readonly #accessTokens = new Map<string, IssuedToken>()
  readonly #refreshTokens = new Map<string, IssuedToken>()
  readonly #codes = new Map<string, Authorisation>()
  readonly #devices = new Map<string, DeviceCode>()
  readonly #stop: () => void

  private constructor(url: string, stop: () => void) {
    this.url = url
    this.#stop = stop
  }

  static async start(): Promise<LabOAuthProvider> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const provider = new LabOAuthProvider(`http://127.0.0.1:${port}`, () => {
      server.close()
      server.closeAllConnections()
    })
    server.on('request', (request, response) => void provider.#answer(request, response))
    return provider
  }

  stop(): void {
    this.#stop()
  }

  /** The settings that make this the provider of that name. */
  environment(name: 'GOOGLE' | 'MICROSOFT'): Record<string, string> {
    return {
      [`SVC_OAUTH_${name}_CLIENT_ID`]: CLIENT.id,
      [`SVC_OAUTH_${name}_CLIENT_SECRET`]: CLIENT.secret,
      [`SVC_OAUTH_${name}_AUTH_URL`]: `${this.url}/authorise`,
      [`SVC_OAUTH_${name}_TOKEN_URL`]: `${this.url}/token`,
      [`SVC_OAUTH_${name}_DEVICE_URL`]: `${this.url}/device`,
    }
  }

  get introspectionUrl(): string {
    return `${this.url}/introspect`
  }

  /** Whether a mail server lets this user in with this token. */
  isGoodToken = (user: string, accessToken: string): boolean => {
    const token = this.#accessTokens.get(accessToken)
    return token?.isGood === true && token.mailbox === user
  }

  /** Mail servers refuse all access tokens from now on; they can be renewed. */
  endAccessTokens(): void {
    for (const token of this.#accessTokens.values()) token.isGood = false
  }

  /** The owner of the mailbox takes back what was granted. */
  revoke(): void {
    this.endAccessTokens()
    for (const token of this.#refreshTokens.values()) token.isGood = false
  }

  /** Somebody enters the code that a device shows, and decides. */
  enterCode(userCode: string, decision: DeviceCode['decision']): void {
    const device = this.#devices.get(userCode)
    if (!device) throw new Error(`No device shows ${userCode}.`)
    device.decision = decision
  }

  /** Issues tokens as if they had been authorised. */
  issue(mailbox: string): { accessToken: string; refreshToken: string } {
    const accessToken = this.#secret('access')
    const refreshToken = this.#secret('refresh')
    this.#accessTokens.set(accessToken, { mailbox, isGood: true })
    this.#refreshTokens.set(refreshToken, { mailbox, isGood: true })
    return { accessToken, refreshToken }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', this.url)
    const form = new URLSearchParams(await text(request))
    if (pathname === '/authorise') return this.#authorise(searchParams, response)
    if (pathname === '/introspect') return this.#introspect(form, response)
    if (pathname === '/device') return this.#giveDeviceCode(form, response)
    if (pathname === '/elsewhere') {
      response.writeHead(307, { location: `${this.url}/token` }).end()
      return
    }
    if (pathname !== '/token') return json(response, 404, {})
    this.tokenRequests.push(form.get('grant_type') ?? '')
    await new Promise((resolve) => setTimeout(resolve, this.delayMs))
    if (this.scripted) {
      response.writeHead(this.scripted.status).end(this.scripted.body)
      return
    }
    const isClient =
      form.get('client_id') === CLIENT.id && form.get('client_secret') === CLIENT.secret
    if (!isClient) return json(response, 401, { error: 'invalid_client' })
    const mailbox = this.#mailboxOf(form)
    if (typeof mailbox !== 'string') return json(response, 400, mailbox)
    const { accessToken, refreshToken } = this.issue(mailbox)
    json(response, 200, {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: 'Bearer',
      expires_in: this.expiresInS,
      ...(this.sendsIdTokens && { id_token: idToken(mailbox) }),
    })
  }

  /** Whose mailbox the request has a right to, or what it is refused with. */
  #mailboxOf(form: URLSearchParams): string | { error: string; error_description?: string } {
    switch (form.get('grant_type') ?? '') {
      case 'authorization_code':
        return this.#redeem(form)
      case 'refresh_token': {
        const sent = form.get('refresh_token') ?? ''
        const token = this.#refreshTokens.get(sent)
        // A refresh token is good once: whoever lost the next one has to authorise again.
        if (token?.isGood) {
          token.isGood = false
          return token.mailbox
        }
        return { error: 'invalid_grant', error_description: `Token ${sent} has been revoked.` }
      }
      case 'urn:ietf:params:oauth:grant-type:device_code':
        return this.#pollDevice(form.get('device_code') ?? '')
      default:
        return { error: 'unsupported_grant_type' }
    }
  }

  #redeem(form: URLSearchParams): string | { error: string } {
    const code = form.get('code') ?? ''
    const authorisation = this.#codes.get(code)
    this.#codes.delete(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight =
      authorisation?.codeChallenge === challenge &&
      authorisation.redirectUri === form.get('redirect_uri')
    return isRight ? authorisation.mailbox : { error: 'invalid_grant' }
  }

  #pollDevice(deviceCode: string): string | { error: string } {
    const device = [...this.#devices.values()].find((known) => known.deviceCode === deviceCode)
    if (!device) return { error: 'invalid_grant' }
    const sinceMs = performance.now() - device.lastPollMs
    device.lastPollMs = performance.now()
    if (sinceMs < INTERVAL_S * 1_000 - 50) return { error: 'slow_down' }
    const { decision } = device
    return typeof decision === 'string' ? { error: decision } : decision.mailbox
  }

  #authorise(query: URLSearchParams, response: ServerResponse): void {
    const redirectUri = query.get('redirect_uri') ?? ''
    const isRight =
      query.get('response_type') === 'code' &&
      query.get('client_id') === CLIENT.id &&
      query.get('code_challenge_method') === 'S256' &&
      /^http:\/\/(127\.0\.0\.1|localhost):\d+$/.test(redirectUri)
    if (!isRight) return json(response, 400, { error: 'invalid_request' })
    const back = new URL(redirectUri)
    back.searchParams.set('state', query.get('state') ?? '')
    if (this.signedIn === '') back.searchParams.set('error', 'access_denied')
    else {
      const code = this.#secret('code')
      const codeChallenge = query.get('code_challenge') ?? ''
      this.#codes.set(code, { mailbox: this.signedIn, redirectUri, codeChallenge })
      back.searchParams.set('code', code)
    }
    response.writeHead(302, { location: back.href }).end()
  }

  #giveDeviceCode(form: URLSearchParams, response: ServerResponse): void {
    if (form.get('client_id') !== CLIENT.id) return json(response, 401, { error: 'invalid_client' })
    const userCode = randomBytes(4).toString('hex').toUpperCase()
    const deviceCode = this.#secret('device')
    const lastPollMs = performance.now()
    this.#devices.set(userCode, { deviceCode, decision: 'authorization_pending', lastPollMs })
    json(response, 200, {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: `${this.url}/enter`,
      expires_in: 300,
      interval: INTERVAL_S,
    })
  }

  #introspect(form: URLSearchParams, response: ServerResponse): void {
    const token = this.#accessTokens.get(form.get('token') ?? '')
    json(
      response,
      200,
      token?.isGood ? { active: true, username: token.mailbox } : { active: false },
    )
  }

  #secret(kind: string): string {
    const secret = `${kind}-${randomBytes(18).toString('base64url')}`
    this.secrets.push(secret)
    return secret
  }
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const idToken = (email: string) =>
  ['{"alg":"none"}', JSON.stringify({ email }), '']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.')
