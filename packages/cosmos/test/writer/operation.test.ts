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
    ['has no kind out of the prototype', { kind: 'toString', record }, '`kind` must be'],
    [
      'has no member that nobody reads',
      { kind: 'upsert', record, tttl: 5 },
      '`tttl` is no member of the operation `upsert`.'
    ],
    [
      'has no member that it only inherits a name of',
      { kind: 'upsert', record, constructor: 1 },
      '`constructor` is no member'
    ],
    ['has no member that its kind does not read', { kind: 'delete', ...place, ttl: 5 }, '`ttl` is no member'],
    [
      'has a document that is stored',
      { kind: 'create', ttl: 5 },
      '`create` needs a document: `record`, `bytes` or `stamped`.'
    ],
    ['has the id of what is deleted', { kind: 'delete', key: 'a' }, '`delete` needs `key` and `id`'],
    ['has the key of what is patched', { kind: 'patch', id: '1', steps: [] }, '`patch` needs `key` and `id`'],
    ['has bytes, and not their text', { kind: 'upsert', bytes: '{}' }, '`bytes` must be a Uint8Array'],
    ['has an ETag that is text', { kind: 'delete', ...place, ifMatch: 5 }, '`ifMatch` must be an ETag'],
    ['ignores a list of statuses', { kind: 'delete', ...place, ignore: 404 }, '`ignore` must be a list'],
    [
      'ignores only what says that something is, or is not there',
      { kind: 'delete', ...place, ignore: [500] },
      '`ignore` must be a list'
    ],
    ['has steps, if it is a patch', { kind: 'patch', ...place }, 'A patch needs at least one step'],
    ['has at least one of them', patch(), 'A patch needs at least one step'],
    [
      'has steps with a known `op`',
      patch({ op: 'inc', path: '/a', value: 1 }),
      'Step 0 of the patch: `op` must be add,'
    ],
    ['has steps that are objects', patch(null), 'Step 0 of the patch: `op` must be'],
    [
      'names what it changes by a pointer',
      patch({ op: 'remove', path: '/a' }, { op: 'set', path: 'a', value: 1 }),
      'Step 1 of the patch: `path`'
    ],
    ['says from where it moves', patch({ op: 'move', path: '/a' }), 'Step 0 of the patch: `from`'],
    ['says what it sets', patch({ op: 'set', path: '/a' }), 'Step 0 of the patch: `value` is missing'],
    ['adds a number', patch({ op: 'incr', path: '/a', value: '1' }), 'Step 0 of the patch: `value` must be the number']
  ])('%s', (_title, operation, sentence) => {
    expect(findOperationError(operation as Operation)).toContain(sentence)
  })

  it('is taken as it is when it is one', () => {
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
