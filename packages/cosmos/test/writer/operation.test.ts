import { describe, expect, it } from 'vitest'
import { type Operation, findOperationError } from '../../src/writer/operation.ts'

const record = { id: '1' }
const place = { key: 'a', id: '1' }
const patch = (...steps: unknown[]): object => ({ kind: 'patch', ...place, steps })

describe('an operation from a caller without types', () => {
  it.each<[string, unknown, string]>([
    ['is an object', undefined, 'An operation is an object'],
    ['has a kind', { record }, '`kind` must be upsert, create, replace, delete, patch.'],
    ['has one of the known kinds', { kind: 'insert', record }, '`kind` must be'],
    ['has no kind that is a property of the prototype', { kind: 'toString', record }, '`kind` must be'],
    [
      'has no unknown property',
      { kind: 'upsert', record, tttl: 5 },
      '`tttl` is not a property of the operation `upsert`'
    ],
    [
      'has no unknown property with an inherited name',
      { kind: 'upsert', record, constructor: 1 },
      '`constructor` is not a property'
    ],
    ['has no property of another kind', { kind: 'delete', ...place, ttl: 5 }, '`ttl` is not a property'],
    ['has a document', { kind: 'create', ttl: 5 }, '`create` needs a document: `record`, `bytes` or `stamped`.'],
    ['has the id of the deleted document', { kind: 'delete', key: 'a' }, '`delete` needs `key` and `id`'],
    ['has the key of the patched document', { kind: 'patch', id: '1', steps: [] }, '`patch` needs `key` and `id`'],
    ['has bytes instead of a string', { kind: 'upsert', bytes: '{}' }, '`bytes` must be a Uint8Array'],
    ['has an ETag that is a string', { kind: 'delete', ...place, ifMatch: 5 }, '`ifMatch` must be an ETag'],
    ['ignores a list of statuses', { kind: 'delete', ...place, ignore: 404 }, '`ignore` must be a list'],
    [
      'ignores only statuses that report an existing or a missing document',
      { kind: 'delete', ...place, ignore: [500] },
      '`ignore` must be a list'
    ],
    ['has steps, if it is a patch', { kind: 'patch', ...place }, 'A patch needs at least one step'],
    ['has at least one step', patch(), 'A patch needs at least one step'],
    [
      'has steps with a known `op`',
      patch({ op: 'inc', path: '/a', value: 1 }),
      'Step 0 of the patch: `op` must be add,'
    ],
    ['has steps that are objects', patch(null), 'Step 0 of the patch: `op` must be'],
    [
      'names the changed property by a pointer',
      patch({ op: 'remove', path: '/a' }, { op: 'set', path: 'a', value: 1 }),
      'Step 1 of the patch: `path`'
    ],
    ['has the source of a move', patch({ op: 'move', path: '/a' }), 'Step 0 of the patch: `from`'],
    ['has the value to set', patch({ op: 'set', path: '/a' }), 'Step 0 of the patch: `value` is missing'],
    ['adds a number', patch({ op: 'incr', path: '/a', value: '1' }), 'Step 0 of the patch: `value` must be the number']
  ])('%s', (_title, operation, sentence) => {
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
