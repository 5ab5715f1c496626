import type { Applied } from './applied-writes.ts'
import { judge } from './judge.ts'
import { NOTHING_LATE } from './late-requests.ts'
import type { SinkCommit } from './ownership.ts'
import type { ScenarioResult, SinkResult } from './run-scenario.ts'

const DOCUMENT: { readonly partition: number; readonly id: string } = { partition: 0, id: 'a' }

/** Result of a good run with five records of one partition; the last record is invalid. */
export const GOOD: ScenarioResult = {
  produced: [
    { ...DOCUMENT, mark: 1, kind: 'upsert', offset: 0 },
    { ...DOCUMENT, mark: 2, kind: 'upsert', offset: 1 },
    { partition: 0, mark: 3, kind: 'upsert', id: 'b', offset: 2 },
    { partition: 0, mark: 4, kind: 'tombstone', id: 'b', offset: 3 },
    { partition: 0, mark: 5, kind: 'poison', id: 'poison-5', offset: 4 }
  ],
  applied: [written(1, 10), written(2, 30)],
  stored: [{ id: 'a', pk: 'a', mark: 2 }],
  deadLetters: ['0/4', '0/4'],
  ends: new Map([[0, 5]]),
  committed: new Map([[0, 5]]),
  commits: [commit(0, 0), commit(5, 100)],
  samples: [
    { committed: new Map([[0, 1]]), stored: new Map([['a', 1]]), deadLetters: 0, fromMs: 18, atMs: 20 },
    { committed: new Map([[0, 3]]), stored: new Map([['a', 2]]), deadLetters: 0, fromMs: 38, atMs: 40 },
    { committed: new Map([[0, 5]]), stored: new Map([['a', 2]]), deadLetters: 2, fromMs: 108, atMs: 110 }
  ],
  sinks: sinksOf({ code: 0 }),
  struck: 3
}

/** A write that was applied at this time. Default of `endMs`, the time of sending: one millisecond before. */
export function written(mark: number, appliedMs: number, by: string = 'first', endMs: number = appliedMs - 1): Applied {
  return { document: 'a', partition: 0, by, mark, activity: `${by}-${mark}`, endMs, appliedMs }
}

export function commit(offset: number, atMs: number, by: string = 'first'): SinkCommit {
  return { partition: 0, offset, by, hasLeft: false, atMs }
}

export function wrongWith(change: Partial<ScenarioResult>): readonly string[] {
  const { commits = GOOD.commits } = change
  return judge(
    {},
    {
      ...GOOD,
      samples: GOOD.samples.slice(0, 1),
      ...change,
      commits: [...commits, commit(5, 1000, commits.at(-1)?.by)]
    }
  )
}

export function sinksOf({
  code = 0,
  late = NOTHING_LATE,
  stop,
  wasKilled = false
}: Partial<SinkResult>): ScenarioResult['sinks'] {
  return new Map([['first', { code, output: 'assigned', assignments: 1, late, stop, wasKilled }]])
}
