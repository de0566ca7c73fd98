import type { OutboundReply } from '../../../runtime/ports/outbound.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import type { OAuthClient } from './client.ts'
import { readTokenAnswer, type TokenAnswer } from './token-answer.ts'

/** A redirect would carry secrets to somebody else. Whoever stops waits for the reply, so it may not take long. */
const LIMITS = { deadlineMs: 8_000, replyBytesMax: 64 * 1024, redirectsMax: 0 }

type Form = Readonly<Record<string, string>>

/** The client in so far as the token endpoint is concerned. */
export type TokenClient = Pick<OAuthClient, 'clientId' | 'clientSecret' | 'tokenUrl'>

/** Asks the client's token endpoint (RFC 6749 section 3.2); every value of `form` is kept out of its words. */
export async function askTokenEndpoint(
  ctx: Needs<'outbound'>,
  client: TokenClient,
  form: Form,
): Promise<TokenAnswer> {
  const { clientId, clientSecret, tokenUrl } = client
  const secret = clientSecret === undefined ? {} : { client_secret: clientSecret }
  const reply = await postForm(ctx, tokenUrl, { client_id: clientId, ...secret, ...form })
  const { grant_type: _known, ...secrets }: Form = { ...form, ...secret }
  return readTokenAnswer(reply, Object.values(secrets))
}

/** Posts a form to an endpoint of the provider. */
export const postForm = (
  { outbound }: Needs<'outbound'>,
  url: string,
  form: Form,
): Promise<OutboundReply> =>
  outbound.send({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: new TextEncoder().encode(new URLSearchParams(form).toString()),
    limits: LIMITS,
  })
