import type { Container } from '@azure/cosmos'
import type { Defect } from './defect.ts'
import { byBulk, byWriter, withContainer } from './bench-container.ts'

const RUNS = 4

/** Two values are written to one document. The first is throttled once and applied after the second, so it remains. */
export const olderValueKept: Defect = {
  title: `An older value replaces a newer one, and both are reported as written (two upserts of a document, the first throttled once, ${RUNS} runs)`,
  show: () =>
    withContainer({ ranges: 1 }, async ({ emulator, container, writer }) => {
      async function staleOf(write: (records: readonly object[]) => Promise<unknown>, name: string): Promise<number> {
        let stale = 0
        for (let run = 0; run < RUNS; run++) {
          const id = `${name}-${run}`
          emulator.faults.inject({
            on: 'bulkOperation',
            count: 1,
            action: { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: 10 }
          })
          await write([1, 2].map((version) => ({ id, pk: 'k', version })))
          emulator.faults.clear()
          if ((await versionOf(container, id)) !== 2) stale += 1
        }
        return stale
      }
      const sdk = await staleOf((records) => byBulk(container, records), 'sdk')
      const ours = await staleOf((records) => byWriter(writer, records), 'ours')
      return { isSeen: sdk > 0, sdk: `the older one in ${sdk} of ${RUNS} runs`, ours: `in ${ours} of ${RUNS}` }
    })
}

async function versionOf(container: Container, id: string): Promise<unknown> {
  return (await container.item(id, 'k').read<{ version: number }>()).resource?.version
}
