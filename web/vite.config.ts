import { resolve } from 'node:path'
import { defineConfig } from 'vite'
import packageJson from '../package.json' with { type: 'json' }

// The pages write the name of the service as %VITE_SERVICE_NAME%.
process.env['VITE_SERVICE_NAME'] = packageJson.name

const page = (name: string) => resolve(import.meta.dirname, name)

export default defineConfig({
  // Vue, which draws the reference, leaves out what these turn off.
  define: {
    __VUE_OPTIONS_API__: false,
    __VUE_PROD_DEVTOOLS__: false,
    __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: false,
  },
  build: {
    // The content security policy of the pages allows a data URL for images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: { input: [page('index.html'), page('reference.html')] },
  },
})
