import type { PlanDefinition } from '@keystamp/core'
import { parsePointer, type Pointer } from '@keystamp/core/internal'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDocumentDigest } from '../../src/digest/document-digest.ts'
import { hexOf } from '../../src/digest/hash-state.ts'
import { changedPointers, type CopyOptions } from '../../src/documents/copy-layout.ts'
import { createPlanMapper } from '../../src/documents/plan-mapper.ts'
import { createReverseMapper } from '../../src/documents/reverse-mapper.ts'
import { documents, type Member, type Tree, trees, write } from '../json/written-json.ts'
import { CHANGED_AT, mapped, optionsFor, stored, storedCopy } from './mapped.ts'

const wholeDigest = createDocumentDigest()

interface Bytes {
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
}

function digestOf({ bytes, start, end }: Bytes, digest = wholeDigest): string | undefined {
  const into = new Int32Array(4)
  return digest(bytes, start, end, into) ? hexOf(into) : undefined
}

const TENANT_AND_DAY: PlanDefinition = { into: '/pk', from: [{ field: '/tenantId' }, { field: '/day' }] }

const MOVES: Readonly<Record<string, CopyOptions>> = {
  'a joined key': optionsFor(TENANT_AND_DAY),
  'a joined key that replaces an existing one': optionsFor({ ...TENANT_AND_DAY, existing: 'overwrite' }),
  'a joined key that an existing one replaces': optionsFor({ ...TENANT_AND_DAY, existing: 'keep' }),
  'a nested key': optionsFor({ ...TENANT_AND_DAY, into: '/meta/deep/pk', existing: 'overwrite' }),
  'a field that is the key itself': optionsFor({ into: '/day', from: [{ field: '/day' }] }),
  'a substitute for a missing field': optionsFor({
    into: '/day',
    from: [
      { field: '/day', normalize: 'NFC', missing: { use: 'none' }, null: { use: 'none' }, wrongType: { use: 'other' } }
    ]
  }),
  levels: optionsFor({
    levels: [
      { into: '/tenantId', from: [{ field: '/tenantId' }] },
      { into: '/meta/pk', from: [{ field: '/day' }], suffix: { by: '/id', count: 7 }, existing: 'overwrite' },
      { into: '/id', from: [{ id: true }] }
    ]
  }),
  'the path of the old key with a suffix': optionsFor({
    into: '/tenantId',
    from: [{ field: '/tenantId' }, { id: true }],
    existing: 'overwrite'
  }),
  'the path of the old key with a substitute': optionsFor(
    { into: '/day', from: [{ field: '/day', null: { use: 'none' } }] },
    { sourceKeyPaths: [['day']] }
  ),
  'a component with a type': optionsFor({
    into: '/pk',
    from: [{ field: '/day' }, { field: '/tenantId', type: 'text' }],
    separator: '.',
    existing: 'overwrite'
  }),
  'new ids': optionsFor(
    {
      ...TENANT_AND_DAY,
      existing: 'overwrite',
      id: { from: [{ field: '/day' }, { field: '/tenantId' }], existing: 'overwrite' }
    },
    { keepIdIn: '/oldId' }
  ),
  'the id as the old key': optionsFor({ ...TENANT_AND_DAY, existing: 'overwrite' }, { sourceKeyPaths: [['id']] })
}

const name = fc.constantFrom('pk', 'meta', 'oldId', '_keystamp', 'a')
const text = fc.string({ minLength: 1, maxLength: 8 })
const ttls = fc.constantFrom<Tree>(-1, null, 7200, 100_000, 'x', 1.5)
/** Documents whose members have the names that a move uses, in any order and form. */
const sources = fc
  .record({
    id: text.map((id) => `i${id.replaceAll(/[/\\?#]/g, '')}`),
    tenantId: text,
    day: fc.oneof({ arbitrary: text, weight: 5 }, fc.constantFrom(undefined, null, 7)),
    ttl: fc.option(ttls, { nil: undefined }),
    special: fc.dictionary(
      name,
      fc.oneof(
        trees,
        fc.constant({ members: [] }),
        fc.constant({ members: [{ name: 'deep', value: { members: [] } }] })
      )
    ),
    others: documents
  })
  .map(({ id, tenantId, day, ttl, special, others }): Tree => {
    const own: Member[] = [
      { name: 'id', value: id },
      { name: 'tenantId', value: tenantId },
      ...(day === undefined ? [] : [{ name: 'day', value: day }]),
      { name: '_ts', value: CHANGED_AT },
      { name: '_etag', value: '"1"' },
      ...Object.entries(special).map(([each, value]) => ({ name: each, value })),
      ...(ttl === undefined ? [] : [{ name: 'ttl', value: ttl }])
    ]
    const names = new Set([...own.map((member) => member.name), '_rid', '_lsn', '_self', '_attachments'])
    return { members: [...own, ...others.members.filter((member) => !names.has(member.name))] }
  })

describe('a copy and its way back', () => {
  for (const [title, options] of Object.entries(MOVES)) {
    for (const sourceDefaultTtl of [undefined, -1, 9000]) {
      it(`restores the document: ${title}, default TTL ${sourceDefaultTtl}`, () => {
        const move = { ...options, sourceDefaultTtl }
        const there = createPlanMapper(move)
        const back = createReverseMapper(move)
        const compared = createDocumentDigest({ leaveOut: changedPointers(move), leaveOutTtl: true })
        const targetPaths = pathsOf(options.plan)
        let copies = 0
        fc.assert(
          fc.property(sources, fc.infiniteStream(fc.nat()), (source, numbers) => {
            // repeated members are never stored
            const written = write(source, (below) => (below === 8 ? 1 : (numbers.next().value ?? 0) % below))
            const original = stored(written, options.sourceKeyPaths)
            const result = there.map(original, (CHANGED_AT + 1000) * 1000)
            if (result.kind !== 'mapped') return
            copies++
            const copy = storedCopy(result, targetPaths)
            expect(copy.identity).toEqual(result.identity)
            expect(there.sourceOf(copy)).toEqual(original.identity)
            expect(digestOf(copy, compared)).toBe(digestOf(original, compared))
            const restored = mapped(back, copy)
            expect(restored.identity).toEqual(original.identity)
            expect(restored.stamped).toMatchObject({ values: original.identity.key, id: original.identity.id })
            const again = storedCopy(restored, options.sourceKeyPaths)
            expect(again.identity).toEqual(original.identity)
            expect(digestOf(again)).toBe(digestOf(original))
            const place = there.basis === 'identity' ? there.targetOf(original.identity) : result.identity
            expect(place).toEqual(result.identity)
            const origin = back.basis === 'identity' ? back.targetOf(result.identity) : original.identity
            expect(origin).toEqual(original.identity)
            expect(back.sourceOf(again)).toEqual(result.identity)
          }),
          { numRuns: 150 }
        )
        expect(copies).toBeGreaterThan(30)
      })
    }
  }
})

function pathsOf(plan: PlanDefinition): readonly Pointer[] {
  const levels = plan.levels ?? [plan]
  return levels.map(({ into }) => parsePointer(into) ?? [])
}
