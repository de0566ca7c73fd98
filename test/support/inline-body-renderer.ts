import { renderBodies } from '../../domain/mime/render-bodies.ts'
import type { BodyRenderer } from '../../runtime/ports/body-renderer.ts'

/** Renders at once, without a limit of time: for texts that people write. */
export const inlineBodyRenderer: BodyRenderer = {
  render: async (mode, written) => renderBodies(mode, written),
}
