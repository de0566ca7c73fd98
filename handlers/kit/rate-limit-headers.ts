/** How the headers of draft-ietf-httpapi-ratelimit-headers-10 are described; the gate sends them. */
export const rateLimitHeaders = {
  RateLimit: {
    description:
      'What is left of the limit: `r` requests; in `t` seconds the whole limit, or the next request when none is left.',
    schema: { type: 'string' as const, examples: ['"default";r=119;t=1'] },
  },
  'RateLimit-Policy': {
    description: 'The limit: `q` requests in `w` seconds.',
    schema: { type: 'string' as const, examples: ['"default";q=120;w=60'] },
  },
}
