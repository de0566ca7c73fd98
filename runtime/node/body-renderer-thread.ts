import { parentPort } from 'node:worker_threads'
import { renderBodies } from '../../domain/mime/render-bodies.ts'

/** What is to be rendered. */
export interface RenderRequest {
  readonly mode: 'html' | 'markdown'
  readonly written: string
}

parentPort?.on('message', ({ mode, written }: RenderRequest) => {
  parentPort?.postMessage(renderBodies(mode, written), [])
})
