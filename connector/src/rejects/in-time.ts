import type { Clock } from '../lifecycle/clock.ts'

/** Waits for work to end, but no longer than this. */
export function inTime(work: Promise<unknown>, ms: number, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.schedule(ms, resolve)
    work.then(() => resolve(), reject).finally(cancel)
  })
}
