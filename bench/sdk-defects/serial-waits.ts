import type { Emulator } from '@keystamp/emulator'
import type { Defect } from './defect.ts'
import { byBulk, byWriter, withContainer, msText, recordsOf, timeOf } from './bench-container.ts'

const RECORDS = 100
const RETRY_AFTER_MS = 50
// upper bound for a single wait and the second that every call takes
const EXPLAINED_MS = 2000

/** The client waits for operations that were throttled together one after the other. */
export const serialWaits: Defect = {
  title: `The waits of throttled operations add up (${RECORDS} operations, each throttled once for ${RETRY_AFTER_MS} ms)`,
  show: () =>
    withContainer({ ranges: 1 }, async ({ emulator, container, writer }) => {
      const records = recordsOf(RECORDS)
      throttleEachOnce(emulator)
      const sdkMs = await timeOf(() => byBulk(container, records))
      emulator.faults.clear()
      throttleEachOnce(emulator)
      const oursMs = await timeOf(() => byWriter(writer, records))
      return { isSeen: sdkMs > EXPLAINED_MS, sdk: msText(sdkMs), ours: msText(oursMs) }
    })
}

function throttleEachOnce(emulator: Emulator): void {
  emulator.faults.inject({
    on: 'bulkOperation',
    count: RECORDS,
    action: { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: RETRY_AFTER_MS }
  })
}
