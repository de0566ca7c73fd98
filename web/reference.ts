import { config } from 'zod/v4/core'

// The reference checks its settings with zod, which would try whether the policy of the page lets it compile.
config({ jitless: true })
const { createApiReference } = await import('@scalar/api-reference')

// Everything it would fetch from elsewhere, or send there, is off; the policy of the page would stop it anyway.
createApiReference('#reference', {
  url: '/api/v1/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'none',
  defaultOpenAllTags: true,
  authentication: { preferredSecurityScheme: 'token' },
})
