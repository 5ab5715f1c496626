import { createPlan, type Plan, type StampedBytes } from '@keystamp/core'
import { MemberTable } from '@keystamp/core/internal'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPropertyEdit } from '../../src/map/property-edit.ts'
import { joinedText } from './sample.ts'

const PLAN = createPlan({ into: '/pk', from: [{ literal: 'k' }, { kafka: 'topic' }], existing: 'overwrite' }) as Plan
const DEEP_PLAN = createPlan({
  into: '/deep/pk',
  from: [{ kafka: 'topic' }],
  existing: 'overwrite',
  id: { from: [{ kafka: 'topic' }], existing: 'overwrite' }
}) as Plan

function stamp(text: string, plan = PLAN): StampedBytes {
  const stamped = plan.stampBytes(Buffer.from(text), { topic: 't' })
  if (!stamped.ok) throw new Error(stamped.message)
  return stamped
}

function edited(text: string, dropped: readonly string[], added: Readonly<Record<string, string>> = {}): string {
  return joinedText(createPropertyEdit(dropped, Object.keys(added))(stamp(text), Object.values(added)))
}

describe('an edit of properties', () => {
  it.each([
    ['the first property', '{"a":1,"b":2}', '{"b":2,"pk":"k-t"}'],
    ['the last property', '{"b":2, "a":1}', '{"b":2,"pk":"k-t"}'],
    ['a property in the middle', '{"b":2,"a":[{}],"c":3}', '{"b":2,"c":3,"pk":"k-t"}'],
    ['the only property', '{ "a" : {"x":"}"} }', '{  "pk":"k-t"}'],
    ['every occurrence of a property', '{"a":1,"b":2,"a":3,"\\u0061":4}', '{"b":2,"pk":"k-t"}'],
    ['none', '{"b":1}', '{"b":1,"pk":"k-t"}'],
    ['a property next to a repeated key', '{"pk":1,"a":1,"pk":2}', '{"pk":"k-t"}']
  ])('leaves out %s', (_, text, wanted) => {
    expect(edited(text, ['a'])).toBe(wanted)
  })

  it.each([
    ['after the property that the plan adds', '{"b":2}', '{"b":2,"pk":"k-t","a":[1]}'],
    ['into an empty record', '{}', '{"pk":"k-t","a":[1]}'],
    ['in place of a property of the same name', '{"a":1,"b":2}', '{"b":2,"pk":"k-t","a":[1]}'],
    ['in place of the only property', '{"a":1}', '{"pk":"k-t","a":[1]}'],
    ['after an existing key', '{"pk":"k-t"}', '{"pk":"k-t","a":[1]}'],
    [
      'in place of a property next to repeated ones that the plan removes, too',
      '{"a":0,"ttl":1,"ttl":2}',
      '{"pk":"k-t","a":[1]}'
    ]
  ])('adds a property %s', (_, text, wanted) => {
    expect(edited(text, text.includes('ttl') ? ['ttl'] : [], { a: '[1]' })).toBe(wanted)
  })

  it('keeps a property if the new value is undefined', () => {
    expect(joinedText(createPropertyEdit([], ['a'])(stamp('{"a":1}'), [undefined]))).toBe('{"a":1,"pk":"k-t"}')
  })

  it('changes the bytes of a record as it changes the object, even after another edit', () => {
    const names = ['a', 'b', 'id', 'ttl', 'deep', 'pk', '__proto__', 'ü', '"']
    const name = fc.constantFrom(...names)
    const value = fc.oneof(
      fc.json({ maxDepth: 2 }),
      fc.constantFrom('1', '"}"', '[{"a":1}]', '"\\""', '{"pk":{},"pk":1}')
    )
    const space = fc.constantFrom('', ' ', '\n\t')
    const member = fc
      .tuple(name, value, space, space, space, space, fc.boolean())
      .map(([key, json, s1, s2, s3, s4, isEscaped]) => {
        const written = isEscaped
          ? `"\\u${key.charCodeAt(0).toString(16).padStart(4, '0')}${JSON.stringify(key).slice(key === '"' ? 3 : 2)}`
          : JSON.stringify(key)
        return `${s1}${written}${s2}:${s3}${key === 'deep' ? '{"x":1}' : json}${s4}`
      })
    const record = fc
      .tuple(fc.array(member, { maxLength: 7 }), space)
      .map(([members, inside]) => `{${inside}${members.join(',')}}`)
    const free = ['a', 'b', 'ttl', '__proto__', 'ü', '"', 'new']

    const edit = fc.record({ dropped: fc.subarray(free), added: fc.subarray(free) })

    fc.assert(
      fc.property(record, fc.boolean(), edit, edit, (text, isDeep, first, second) => {
        const isFree = (each: string): boolean => !first.added.includes(each)
        const later = { dropped: second.dropped.filter(isFree), added: second.added.filter(isFree) }
        const added = [...first.added, ...later.added]
        let stamped = stamp(text, isDeep ? DEEP_PLAN : PLAN)
        const wanted = new Map<string, unknown>(Object.entries(JSON.parse(joinedText(stamped)) as object))
        for (const each of [...first.dropped, ...later.dropped]) wanted.delete(each)
        for (const each of added) wanted.set(each, { of: each })

        for (const each of [first, later]) {
          const values = each.added.map((of) => JSON.stringify({ of }))
          stamped = createPropertyEdit(each.dropped, each.added)(stamped, values)
        }
        const output = joinedText(stamped)

        expect(sorted(Object.entries(JSON.parse(output) as object))).toEqual(sorted([...wanted]))
        const again = new MemberTable(stamp(output))
        const left = Array.from({ length: again.size }, (_, index) => again.name(index))
        for (const each of added) expect(left.filter((found) => found === each)).toHaveLength(1)
      }),
      { numRuns: 1000 }
    )
  })
})

function sorted(entries: readonly (readonly [string, unknown])[]): readonly (readonly [string, unknown])[] {
  return entries.toSorted(([one], [other]) => (one < other ? -1 : 1))
}
