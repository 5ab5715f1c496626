import type { Clock } from '../lifecycle/clock.ts'

/** Waits for work, but not longer than it should take: a broker that does not answer cannot keep this process from ending. */
export async function inPatience(work: Promise<unknown>, clock: Clock): Promise<void> {
  let cancel: (() => void) | undefined
  const late = new Promise<void>((resolve) => {
    cancel = clock.schedule(PATIENCE_MS, resolve)
  })
  await Promise.race([work, late])
  cancel?.()
}

const PATIENCE_MS = 5000
