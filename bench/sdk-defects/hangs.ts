import type { Defect } from './defect.ts'
import { inChild } from './in-child.ts'
import { byWriter, withContainer, recordsOf } from './bench-container.ts'

const TIMEOUT_MS = 6000

/** After one invalid element, the call never ends. */
export const hangs: Defect = {
  title: `With one element that is not an operation, the call never ends (waited for ${TIMEOUT_MS / 1000} s)`,
  show: () =>
    withContainer({}, async ({ emulator, writer }) => {
      const { kind } = await inChild('nothing among records', emulator.endpoint, emulator.key, TIMEOUT_MS)
      await byWriter(writer, recordsOf(1))
      const outcome = await writer.write(null as never).catch((error: Error) => error)
      const ours = outcome instanceof Error ? 'fails at once' : 'is rejected at once'
      return { isSeen: kind === 'still running', sdk: kind === 'still running' ? 'no result' : kind, ours }
    })
}
