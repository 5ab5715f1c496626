import type { Dice } from './dice.ts'

/** Creates a usual record, as JSON.stringify writes it: the same names in the same order, sometimes with one more. */
export function createTelemetryLine(dice: Dice): string {
  const record = {
    id: dice.chance(0.4) ? dice.pick(['a#b', 'a/b', 'what?', 'back\\slash', '', 7, 'é']) : `r${dice.below(1000)}`,
    deviceId: dice.chance(0.3)
      ? dice.pick(['a~b', '', 'a.b', 'x'.repeat(600), 7, '7/7', 'é', 'q"q', 'b\\b'])
      : `abc-${dice.below(1000)}`,
    date: 2000 + dice.below(30),
    owner: { name: dice.pick(['Anne', 'Jiří', '李小龍', 'Bob "Bobby"']), id: 7, date: 1999 },
    list: Array.from({ length: dice.below(4) }, (_, n) => ({ n, v: dice.below(1000) / 8, id: null })),
    ...(dice.chance(0.2) ? { a: { b: { c: 1 }, pk: 'old' } } : {}),
    ...(dice.chance(0.5)
      ? { a: dice.pick(['plain', 0, 123456789012345, 1234567890123456, -1, 1.5, 'a-b', 'abc', null]), b: 'bb' }
      : {}),
    ...(dice.chance(0.2) ? { pk: 'old', ttl: 60 } : {}),
    note: dice.pick(['ok', 'said: "id":"x" }', 'C:\\logs', 'one\ntwo', '🚗💨 fast']),
    deep: [[1, 2], [dice.below(1e9) / 1e6, -3.5e-7], []]
  }
  return JSON.stringify(record)
}
