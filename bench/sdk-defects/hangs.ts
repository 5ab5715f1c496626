import type { Defect } from './defect.ts'
import { inChild } from './in-child.ts'
import { byWriter, inPlace, recordsOf } from './place.ts'

const PATIENCE_MS = 6000

/** One bad element, and the call never ends. */
export const hangs: Defect = {
  title: `One element that is no operation, and the call never comes back (waited for ${PATIENCE_MS / 1000} s)`,
  show: () =>
    inPlace({}, async ({ emulator, writer }) => {
      const { kind } = await inChild('nothing among records', emulator.endpoint, emulator.key, PATIENCE_MS)
      await byWriter(writer, recordsOf(1))
      const outcome = await writer.write(null as never).catch((error: Error) => error)
      const ours = outcome instanceof Error ? 'fails at once' : 'is rejected at once'
      return { isSeen: kind === 'still running', sdk: kind === 'still running' ? 'nothing came' : kind, ours }
    })
}
