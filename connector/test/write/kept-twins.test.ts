import { expect, it } from 'vitest'
import { createKeptTwinsLog } from '../../src/write/kept-twins.ts'
import type { Answer } from '../../src/write/target.ts'

it('logs once a minute how many old twins it kept because another client had changed them', () => {
  const logged: object[] = []
  let nowMs = 0
  const see = createKeptTwinsLog({
    container: 'things',
    clock: { now: () => nowMs },
    log: { warn: (fields) => logged.push(fields) }
  })

  for (const twin of ['deleted', 'absent', undefined] as const) see(written(twin))
  see(new Error('closed'))
  see({ kind: 'unchanged', status: 412, chargeRu: 1 })
  expect(logged).toEqual([])

  see(written('changed'))
  see(written('changed'))
  nowMs += 60_000
  see(written('changed'))

  expect(logged).toEqual([
    { container: 'things', kept: 1 },
    { container: 'things', kept: 3 }
  ])
})

function written(twin: 'deleted' | 'absent' | 'changed' | undefined): Answer {
  return { kind: 'written', status: 201, chargeRu: 1, isSuperseded: false, ...(twin === undefined ? {} : { twin }) }
}
