import fc from 'fast-check'
import type { KeyComponent } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { assemble, assembledLength } from '../../src/dispatch/batch-encoder.ts'
import { NO_CONDITIONS, PendingOperation, type OperationType } from '../../src/dispatch/pending-operation.ts'

const VALUE = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme-ascii' }) },
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', '\u007f', '\n', 'Škoda', '\ud800', '日産', '', ' '),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constantFrom(null, undefined, -0)
)

const OPERATION = fc.record({
  type: fc.constantFrom<OperationType>('Upsert', 'Create', 'Replace', 'Delete', 'Patch'),
  values: fc.array(VALUE, { minLength: 1, maxLength: 3 }),
  id: fc.string({ minLength: 1 }),
  ifMatch: fc.option(fc.string(), { nil: undefined })
})

describe('an encoded batch', () => {
  it('contains each operation with its key, id and condition', () => {
    fc.assert(
      fc.property(fc.array(OPERATION, { minLength: 1, maxLength: 8 }), (operations) => {
        const pending = operations.map(toPending)
        const target = Buffer.alloc(assembledLength(pending))
        const text = Buffer.from(assemble(pending, target)).toString()

        expect(JSON.parse(text)).toEqual(operations.map(toWire))
      }),
      { numRuns: 500 }
    )
  })

  it('has the length that was counted before, except for one comma', () => {
    fc.assert(
      fc.property(OPERATION, (operation) => {
        const pending = toPending(operation)
        const target = Buffer.alloc(assembledLength([pending]))

        expect(assemble([pending], target).length).toBe(pending.bytes + 1)
      }),
      { numRuns: 500 }
    )
  })
})

interface Asked {
  readonly type: OperationType
  readonly values: readonly KeyComponent[]
  readonly id: string
  readonly ifMatch: string | undefined
}

const BODY = '{"text":"Škoda"}'

function toPending({ type, values, id, ifMatch }: Asked): PendingOperation {
  const conditions = ifMatch === undefined ? NO_CONDITIONS : { ...NO_CONDITIONS, ifMatch }
  return new PendingOperation(
    { type, values, id, definition: {}, head: 0, body: type === 'Delete' ? undefined : BODY, conditions },
    () => {}
  )
}

function toWire({ type, values, id, ifMatch }: Asked): object {
  return {
    operationType: type,
    partitionKey: `[${values.map(componentText).join(',')}]`,
    // the id of a created document is in its body
    ...(type === 'Upsert' || type === 'Create' ? {} : { id: wellFormed(id) }),
    ...(ifMatch === undefined ? {} : { ifMatch: wellFormed(ifMatch) }),
    ...(type === 'Delete' ? {} : { resourceBody: JSON.parse(BODY) as unknown })
  }
}

// an empty object stands for a missing value, and -0 is another key than 0
function componentText(value: KeyComponent): string {
  if (value === undefined) return '{}'
  return Object.is(value, -0) ? '-0' : JSON.stringify(value)
}

function wellFormed(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string
}
