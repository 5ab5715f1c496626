import type { Defect } from './defect.ts'
import { byBulk, byWriter, inPlace, recordsOf } from './place.ts'

const RECORDS = 100

/** A moment of bad weather is the caller's problem. */
export const passingErrors: Defect = {
  title: `What would pass by itself is handed to the caller (one answer of 503 for ${RECORDS} operations)`,
  show: () =>
    inPlace({ ranges: 1 }, async ({ emulator, container, writer }) => {
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
