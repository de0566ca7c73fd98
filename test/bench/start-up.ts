import { join } from 'node:path'

import { startBareServer } from './bare-server.ts'
import { startService } from './service.ts'
import { median } from './statistics.ts'
import { ms, number } from './table.ts'
import type { Row } from './table.ts'

const RUNS = 5
const BAR_MS = 1_500

/** How soon `svc serve` answers on a new data directory; the floor is a server of one line in the same Node. */
export async function measureStartUp(directory: string): Promise<Row> {
  const ours: number[] = []
  const bare: number[] = []
  for (let run = 0; run < RUNS; run += 1) {
    const service = await startService(directory, join(directory, `start-${run}`))
    ours.push(service.firstAnswerMs)
    await service.stop()
    const server = await startBareServer(directory)
    bare.push(server.firstAnswerMs)
    await server.stop()
  }
  return {
    work: 'svc serve to the first answer, new data directory',
    figure: ms(median(ours)),
    floor: `${ms(median(bare))} (bare node:http)`,
    ratio: number(median(ours) / median(bare)),
    bar: ms(BAR_MS),
    met: median(ours) <= BAR_MS,
  }
}
