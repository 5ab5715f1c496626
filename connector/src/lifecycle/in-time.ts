import type { Clock } from './clock.ts'

/** Waits for work to end, but no longer than this; answers whether it has. */
export async function inTime(work: Promise<unknown>, ms: number, clock: Pick<Clock, 'schedule'>): Promise<boolean> {
  let cancel: (() => void) | undefined
  const late = new Promise<false>((resolve) => {
    cancel = clock.schedule(ms, () => resolve(false))
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    cancel!()
  }
}
