import { expect, test } from 'vitest'
import { createBytesStamper } from '../../src/json/create-bytes-stamper.ts'
import type { MemberTable } from '../../src/json/member-table.ts'
import { createExamplePlan, toBytes } from './example-plan.ts'

const text = ' { "a" :\t1 , "\\u0062": "x, }" ,"a":{"n":[]},"c" : [ ] ,"d":true,"e":null } '
const bytes = toBytes(text)

function membersOf(): MemberTable {
  const result = createBytesStamper(createExamplePlan([], {})).stamp(bytes)
  if (!result.ok) throw new Error(result.message)
  return result.members
}

test('lists names, values and kinds in order, duplicates included', () => {
  const members = membersOf()
  const rows = Array.from({ length: members.size }, (_, member) => [
    members.name(member),
    text.slice(members.nameStart(member), members.nameEnd(member)),
    text.slice(members.valueStart(member), members.valueEnd(member)),
    members.kind(member)
  ])

  expect(rows).toEqual([
    ['a', '"a"', '1', 'number'],
    ['b', '"\\u0062"', '"x, }"', 'string'],
    ['a', '"a"', '{"n":[]}', 'object'],
    ['c', '"c"', '[ ]', 'array'],
    ['d', '"d"', 'true', 'boolean'],
    ['e', '"e"', 'null', 'null']
  ])
})

test('finds the member that JSON.parse would keep', () => {
  const members = membersOf()

  expect(members.find('a')).toBe(2)
  expect(members.find('b')).toBe(1)
  expect(members.find('nowhere')).toBe(-1)
  expect(() => members.nameStart(6)).toThrow('There is no member 6: the record has 6.')
})

test('can have any number of members', () => {
  const many = toBytes(`{${Array.from({ length: 1000 }, (_, each) => `"m${each}":${each}`).join(',')}}`)
  const result = createBytesStamper(createExamplePlan([], {})).stamp(many)

  expect(result.ok && result.members.size).toBe(1000)
  expect(result.ok && result.members.find('m999')).toBe(999)
})
