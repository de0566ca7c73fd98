const KEY = 'token'

/** The token of this tab. It lives in the session storage only, and goes with the tab. */
export const tokenStore = {
  get: (): string | null => sessionStorage.getItem(KEY),
  set: (token: string): void => sessionStorage.setItem(KEY, token),
  remove: (): void => sessionStorage.removeItem(KEY),
}
