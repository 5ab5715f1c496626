import { beforeEach, describe, expect, it } from 'vitest'
import { judge } from './judge.ts'
import { runSchedule, type ScheduleResult } from './run-schedule.ts'

describe('the judge of schedules', () => {
  let result: ScheduleResult

  beforeEach(async () => {
    result = await runSchedule(3)
  })

  it('reports no violation for a correct result', () => {
    expect(judge(result)).toEqual([])
  })

  it.each<[string, (result: ScheduleResult) => ScheduleResult | undefined, RegExp]>([
    ['a missing outcome', (one) => ({ ...one, isComplete: false }), /operations have no outcome/],
    [
      'an outcome that is reported twice',
      ({ told: [first] }) => void first.outcomes.push(first.outcomes[0]),
      /was told 2 outcomes/
    ],
    [
      'an error instead of an outcome',
      ({ told: [first] }) => void first.outcomes.splice(0, 1, new Error('It broke.')),
      /failed: It broke/
    ],
    ['bytes that stay counted', (one) => ({ ...one, bytesLeft: 7 }), /7 bytes are left/],
    [
      'an event that an operation ignored',
      (one) => ({ ...one, ignoredEvents: ['send in waiting'] }),
      /ignored the event send in waiting/
    ],
    ['a document in flight twice', ({ service }) => void service.collisions.push('d'), /d was in flight twice/],
    [
      'an older write after a newer one',
      ({ service: { applied } }) => void applied.push({ ...applied.at(-1)!, mark: 0 }),
      /0 was applied after/
    ],
    ['a lost document', ({ service }) => void service.store.delete([...service.store.keys()][0]), /holds undefined/],
    [
      'a write that is reported and was never applied',
      ({ service, told }) => {
        const written = told.find(
          ({ operation, outcomes: [one], isAtomic }) => operation.kind === 'upsert' && !isAtomic && isApplied(one)
        )!
        service.applied.splice(
          0,
          Number.POSITIVE_INFINITY,
          ...service.applied.filter(({ mark }) => mark !== written.mark)
        )
      },
      /was written, yet never applied/
    ]
  ])('reports a violation for %s', (_, damage, complaint) => {
    const damaged = damage(result) ?? result

    expect(judge(damaged).join('\n')).toMatch(complaint)
  })
})

function isApplied(outcome: ScheduleResult['told'][number]['outcomes'][number]): boolean {
  return !(outcome instanceof Error) && outcome.kind === 'written' && !outcome.isSuperseded
}
