import { headOf, partitionHash, partitionHashHead } from '@keystamp/core'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ContainerRange } from '../../src/client/container.ts'
import { NO_CONDITIONS, PendingOperation } from '../../src/dispatch/pending-operation.ts'
import { Prices } from '../../src/budget/range-governor.ts'
import { Lane } from '../../src/dispatch/lane.ts'
import { RouteTable } from '../../src/dispatch/route-table.ts'

const V2 = { version: 2 } as const

it.each([{ version: 1 }, V2, { kind: 'MultiHash', version: 2 }] as const)(
  'a route table finds the range of a key under %j',
  (definition) => {
    const table = tableOf(['', '05C1', '05C1D9', '1', '1F', '2ABC', '3'])

    fc.assert(
      fc.property(fc.string(), (key) => {
        const { epk, head } = pendingOf(key, definition)
        const { min, max } = table.laneOf({ epk, head }).range

        expect(min <= epk && epk < max).toBe(true)
      })
    )
  }
)

it('a route table compares all digits if the boundary of a range has the same first digits as the key', () => {
  const { epk, head } = pendingOf('k', V2)
  const others = [epk.slice(0, 12), epk, `${epk}00`, `${epk.slice(0, 8)}F`]
  const table = tableOf(['', ...others])

  expect(others.map(headOf)).toEqual([head, head, head, head])
  expect(table.laneOf({ epk, head }).range.min).toBe(epk)
})

function tableOf(bounds: readonly string[]): RouteTable {
  const ranges = bounds.map((min, index) => ({ id: String(index), min, max: bounds[index + 1] ?? 'FF', parents: [] }))
  const table = new RouteTable((range: ContainerRange) => new Lane(range, new Prices()))
  table.update(ranges)
  return table
}

function pendingOf(
  key: string,
  definition: { readonly version: 1 | 2 }
): { readonly epk: string; readonly head: number } {
  const values = [key]
  const head = partitionHashHead(values, definition)
  const { epk } = new PendingOperation(
    { type: 'Upsert', values, id: 'a', definition, head, body: '{}', conditions: NO_CONDITIONS },
    () => {}
  )
  expect(epk).toBe(partitionHash(values, definition))
  return { epk, head }
}
