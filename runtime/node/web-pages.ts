import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'

const WEB_ROOT = fileURLToPath(new URL('../../web/dist', import.meta.url))

const REFERENCE = '/reference.html'

const NOT_BUILT = 'The pages are not built. Run: npm run build:web\n'
const NOT_FOUND =
  '<!doctype html><html lang="en"><title>Not found</title>' +
  '<h1>There is no such page</h1><p><a href="/">To the start page</a></p></html>'

/** The built pages of the web client, behind a strict content security policy. */
export function webPages(root = WEB_ROOT): Hono {
  const pages = new Hono()
  pages.use((c, next) => (c.req.path === REFERENCE ? referenceHeaders : pageHeaders)(c, next))
  if (!existsSync(root)) {
    pages.get('*', (c) => c.text(NOT_BUILT, 404))
    return pages
  }
  pages.use(async (c, next) => {
    await next()
    // Vite names what stands in assets after its content.
    const isHashed = c.res.ok && c.req.path.startsWith('/assets/')
    c.header('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
  })
  pages.get('*', serveStatic({ root }))
  pages.notFound((c) => c.html(NOT_FOUND, 404))
  return pages
}

/** No HSTS: whether there is TLS is decided by the proxy in front. */
const securityHeaders = (styleSrc: string[]) =>
  secureHeaders({
    strictTransportSecurity: false,
    xFrameOptions: 'DENY',
    referrerPolicy: 'no-referrer',
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc,
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  })

const pageHeaders = securityHeaders(["'self'"])

/** The library that draws the reference writes style elements; scripts stay as restricted as everywhere. */
const referenceHeaders = securityHeaders(["'self'", "'unsafe-inline'"])
