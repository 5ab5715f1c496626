import { RU_PER_SECOND } from './demo-world.ts'
import { type Panel, percent } from './frame.ts'
import { usedShare } from './readings.ts'

/** What to remember of it. */
export function lastWords(panels: readonly Panel[]): readonly string[] {
  const shares = panels.map((panel) => usedShare(panel, RU_PER_SECOND))
  const [date, suffix, even] = shares.map(percent)
  if (even === undefined) return []
  const isBusy = shares.every((share) => share < BUSY_SHARE)
  return [
    '',
    `A key of time alone used ${date} of what was bought, however much that was. A suffix that readers can compute used ${suffix}.`,
    `Even labels put one suffix into each equal slice of the hash space, and used ${even}; readers compute them just the same.`,
    ...(isBusy ? ['This machine was too busy to show it well: nothing here used what was bought, and that is not for their keys.'] : [])
  ]
}

// even labels use more where the machine has time for them
const BUSY_SHARE = 0.7
