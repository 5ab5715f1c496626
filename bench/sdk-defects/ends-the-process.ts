import type { Defect } from './defect.ts'
import { inChild } from './in-child.ts'
import { inPlace, recordsOf } from './place.ts'

const PATIENCE_MS = 6000

/** One record that is no JSON ends the process, past every catch. */
export const endsTheProcess: Defect = {
  title: 'One record with a bigint among good ones ends the process, past every catch',
  show: () =>
    inPlace({}, async ({ emulator, writer }) => {
      const { kind } = await inChild('bigint among records', emulator.endpoint, emulator.key, PATIENCE_MS)
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
