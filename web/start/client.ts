import { hc, type InferResponseType } from 'hono/client'
import type { createApi } from '../../handlers/api.ts'

type Api = ReturnType<typeof createApi>

/** The API of the service that sent this page, typed by its handlers. */
export const apiClient = (token?: string) =>
  hc<Api>(location.origin, {
    ...(token !== undefined && { headers: { Authorization: `Bearer ${token}` } }),
  }).api

export type ApiClient = ReturnType<typeof apiClient>
export type Account = InferResponseType<ApiClient['v1']['accounts']['$get'], 200>['data'][number]
export type Message = InferResponseType<ApiClient['v1']['messages']['$get'], 200>['data'][number]
export type TokenSelf = InferResponseType<ApiClient['v1']['tokens']['self']['$get'], 200>
