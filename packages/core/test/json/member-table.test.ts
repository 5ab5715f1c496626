import { expect, test } from 'vitest'
import { createBytesStamper } from '../../src/json/create-bytes-stamper.ts'
import { MemberTable, readProperty } from '../../src/json/member-table.ts'
import type { StampedBytes } from '../../src/json/join.ts'
import { createExamplePlan, toBytes } from './example-plan.ts'

const text = ' { "a" :\t1 , "\\u0062": "x, }" ,"a":{"n":[]},"c" : [ ] ,"d":true,"e":null } '
const bytes = toBytes(text)

function membersOf(): MemberTable {
  return new MemberTable(stamped(bytes))
}

function stamped(record: Uint8Array): StampedBytes {
  const result = createBytesStamper(createExamplePlan([], {})).stamp(record)
  if (!result.ok) throw new Error(result.message)
  return result
}

test('MemberTable lists names and values in order, duplicates included', () => {
  const members = membersOf()
  const rows = Array.from({ length: members.size }, (_, member) => [
    members.name(member),
    text.slice(members.nameStart(member), members.nameEnd(member)),
    text.slice(members.valueStart(member), members.valueEnd(member))
  ])

  expect(rows).toEqual([
    ['a', '"a"', '1'],
    ['b', '"\\u0062"', '"x, }"'],
    ['a', '"a"', '{"n":[]}'],
    ['c', '"c"', '[ ]'],
    ['d', '"d"', 'true'],
    ['e', '"e"', 'null']
  ])
})

test('MemberTable finds the last property of a name, as JSON.parse does', () => {
  const members = membersOf()

  expect(members.find('a')).toBe(2)
  expect(members.find('b')).toBe(1)
  expect(members.find('nowhere')).toBe(-1)
  expect(() => members.nameStart(6)).toThrow('There is no member 6: the record has 6.')
})

test('MemberTable can have any number of properties', () => {
  const many = toBytes(`{${Array.from({ length: 1000 }, (_, each) => `"m${each}":${each}`).join(',')}}`)
  const members = new MemberTable(stamped(many))

  expect(members.size).toBe(1000)
  expect(members.find('m999')).toBe(999)
})

test.each([
  ['a', { n: [] }],
  ['b', 'x, }'],
  ['c', []],
  ['d', true],
  ['e', null],
  ['nowhere', undefined]
])('readProperty returns the same value as JSON.parse for the property "%s"', (name, value) => {
  expect(readProperty(stamped(bytes), name)).toEqual(value)
})

test('readProperty returns a string with escapes and characters beyond ASCII', () => {
  expect(readProperty(stamped(toBytes('{"a":"\\u00e9\\n日本"}')), 'a')).toBe('é\n日本')
})
