import { describe, expect, it } from 'vitest'
import { membersOfPath, membersOfPointer } from '../../src/client/container.ts'

describe('membersOfPath', () => {
  it.each([
    ['/pk', ['pk']],
    ['/a/b', ['a', 'b']],
    ['/"a b"/c', ['a b', 'c']],
    ['/"with/slash"', ['with/slash']],
    ["/'a b'/c", ['a b', 'c']],
    [String.raw`/"a\"b"/'it\'s'/"back\\slash"`, ['a"b', "it's", String.raw`back\slash`]]
  ])('reads %s', (path, members) => {
    expect(membersOfPath(path)).toEqual(members)
  })
})

describe('membersOfPointer', () => {
  it('undoes the escapes of a JSON pointer', () => {
    expect(membersOfPointer('/a~1b/c~0d/~01')).toEqual(['a/b', 'c~d', '~1'])
  })
})
