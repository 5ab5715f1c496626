import { describe, expect, it } from 'vitest'
import { type Operation, findOperationError } from '../../src/writer/operation.ts'

const record = { id: '1' }
const place = { key: 'a', id: '1' }
const patch = (...steps: unknown[]): object => ({ kind: 'patch', ...place, steps })

describe('an operation from a caller without types', () => {
  it.each<[string, unknown, string]>([
    ['is not an object', undefined, 'An operation is an object'],
    ['has no kind', { record }, '`kind` must be upsert, create, replace, delete, patch.'],
    ['has an unknown kind', { kind: 'insert', record }, '`kind` must be'],
    ['has the name of an inherited property as its kind', { kind: 'toString', record }, '`kind` must be'],
    [
      'has an unknown property',
      { kind: 'upsert', record, tttl: 5 },
      '`tttl` is not a property of the operation `upsert`'
    ],
    [
      'has an unknown property with the name of an inherited one',
      { kind: 'upsert', record, constructor: 1 },
      '`constructor` is not a property'
    ],
    ['has a property of another kind of operation', { kind: 'delete', ...place, ttl: 5 }, '`ttl` is not a property'],
    ['has no document', { kind: 'create', ttl: 5 }, '`create` needs a document: `record`, `bytes` or `stamped`.'],
    ['is a delete without an id', { kind: 'delete', key: 'a' }, '`delete` needs `key` and `id`'],
    ['is a patch without a key', { kind: 'patch', id: '1', steps: [] }, '`patch` needs `key` and `id`'],
    ['has a string instead of bytes', { kind: 'upsert', bytes: '{}' }, '`bytes` must be a Uint8Array'],
    ['has an ETag that is not a string', { kind: 'delete', ...place, ifMatch: 5 }, '`ifMatch` must be an ETag'],
    ['has no list of statuses in `ignore`', { kind: 'delete', ...place, ignore: 404 }, '`ignore` must be a list'],
    [
      'ignores a status that reports neither an existing nor a missing document',
      { kind: 'delete', ...place, ignore: [500] },
      '`ignore` must be a list'
    ],
    ['is a patch without steps', { kind: 'patch', ...place }, 'A patch needs at least one step'],
    ['has an empty list of steps', patch(), 'A patch needs at least one step'],
    [
      'has a step with an unknown `op`',
      patch({ op: 'inc', path: '/a', value: 1 }),
      'Step 0 of the patch: `op` must be add,'
    ],
    ['has a step that is not an object', patch(null), 'Step 0 of the patch: `op` must be'],
    [
      'has a step whose `path` is not a pointer',
      patch({ op: 'remove', path: '/a' }, { op: 'set', path: 'a', value: 1 }),
      'Step 1 of the patch: `path`'
    ],
    ['has a move without a source', patch({ op: 'move', path: '/a' }), 'Step 0 of the patch: `from`'],
    [
      'has a step without the value to set',
      patch({ op: 'set', path: '/a' }),
      'Step 0 of the patch: `value` is missing'
    ],
    [
      'has an increment by a string',
      patch({ op: 'incr', path: '/a', value: '1' }),
      'Step 0 of the patch: `value` must be the number'
    ]
  ])('is refused if it %s', (_title, operation, sentence) => {
    expect(findOperationError(operation as Operation)).toContain(sentence)
  })

  it('is accepted unchanged if it is valid', () => {
    const operations: Operation[] = [
      { kind: 'upsert', record, ttl: 5, ifMatch: '"e"', source: {} },
      { kind: 'create', bytes: Buffer.from('{}'), ignore: [409] },
      { kind: 'delete', ...place, ignore: [404, 412] },
      {
        kind: 'patch',
        ...place,
        steps: [
          { op: 'set', path: '/a', value: null },
          { op: 'move', from: '/a', path: '/b' }
        ],
        condition: 'from c'
      }
    ]

    expect(operations.map(findOperationError)).toEqual(operations.map(() => undefined))
  })
})
