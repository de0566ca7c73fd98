/** What a visitor can expect of the pages at `url`: those of sources that were never built are not there. */
export async function pagesText(url: string): Promise<string> {
  const { ok } = await fetch(url)
  return ok
    ? `${url}, which asks for the token`
    : 'not built yet; before the next demo run: npm run build:web'
}
