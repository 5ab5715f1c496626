/** Puts the elements into a random order, in place. `random`: source of numbers from 0 up to, but not including, 1. */
export function shuffle<T>(list: T[], random: () => number): T[] {
  for (let left = list.length - 1; left > 0; left--) {
    const other = Math.floor(random() * (left + 1))
    const moved = list[left]
    list[left] = list[other]
    list[other] = moved
  }
  return list
}
