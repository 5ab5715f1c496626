import type { Defect } from './defect.ts'
import { inChild } from './in-child.ts'
import { withContainer, recordsOf } from './bench-container.ts'

const TIMEOUT_MS = 6000

/** One record that JSON cannot express ends the process, and no `catch` can prevent that. */
export const endsTheProcess: Defect = {
  title: 'One record with a bigint among valid ones ends the process, and no catch can prevent that',
  show: () =>
    withContainer({}, async ({ emulator, writer }) => {
      const { kind } = await inChild('bigint among records', emulator.endpoint, emulator.key, TIMEOUT_MS)
      const records = [...recordsOf(3), { id: 'big', pk: 'k', exact: 1n }]
      const outcomes = await Promise.all(records.map((record) => writer.write({ kind: 'upsert', record })))
      const written = outcomes.filter((outcome) => outcome.kind === 'written').length
      return {
        isSeen: kind === 'failed',
        sdk: kind === 'failed' ? 'the process ended' : kind,
        ours: `${written} written, ${outcomes.length - written} rejected`
      }
    })
}
