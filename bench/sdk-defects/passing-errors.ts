import type { Defect } from './defect.ts'
import { byBulk, byWriter, withContainer, recordsOf } from './bench-container.ts'

const RECORDS = 100

/** The client does not retry a temporary error: the caller gets it. */
export const passingErrors: Defect = {
  title: `A temporary error is not retried (one answer of 503 for ${RECORDS} operations)`,
  show: () =>
    withContainer({ ranges: 1 }, async ({ emulator, container, writer }) => {
      const records = recordsOf(RECORDS)
      const fail = (): unknown =>
        emulator.faults.inject({ on: 'bulk', count: 1, action: { kind: 'status', status: 503 } })
      fail()
      const failed = (await byBulk(container, records)).filter(({ error }) => error !== undefined).length
      emulator.faults.clear()
      fail()
      await byWriter(writer, records)
      const { written } = writer.stats()
      return {
        isSeen: failed > 0,
        sdk: `${failed} of ${RECORDS} not written`,
        ours: `${RECORDS - written} of ${RECORDS} not written`
      }
    })
}
