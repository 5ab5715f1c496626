import { RU_PER_SECOND } from './demo-world.ts'
import { type Panel, percent } from './frame.ts'
import { usedShare } from './readings.ts'

/** What to remember of it. */
export function lastWords(panels: readonly Panel[]): readonly string[] {
  const [date, suffix, even] = panels.map((panel) => percent(usedShare(panel, RU_PER_SECOND)))
  if (even === undefined) return []
  return [
    '',
    `A key of time alone used ${date} of what was bought, however much that was. A suffix that readers can compute used ${suffix}.`,
    `Even labels put one suffix into each equal slice of the hash space, and used ${even}; readers compute them just the same.`
  ]
}
