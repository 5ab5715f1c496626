import type { Dice } from './dice.ts'

/** Returns the bytes with one to three mistakes. Some of the results are still valid. */
export function damage(dice: Dice, bytes: Uint8Array): Uint8Array {
  let damaged = bytes
  for (let left = dice.pick([1, 1, 1, 2, 3]); left > 0; left--)
    if (damaged.length > 0) damaged = dice.pick(KINDS)(dice, damaged)
  return damaged
}

type Damage = (dice: Dice, bytes: Uint8Array) => Uint8Array

const STRUCTURE = Array.from('{}[]":,\\ \n\t0123456789-+.eEtfnu', (character) => character.charCodeAt(0))
const NOT_UTF8 = [
  [0x80],
  [0xbf],
  [0xc0, 0xaf],
  [0xc1, 0xbf],
  [0xe0, 0x80, 0x80],
  [0xe0, 0x9f, 0xbf],
  [0xed, 0xa0, 0x80],
  [0xed, 0xbf, 0xbf],
  [0xf0, 0x80, 0x80, 0x80],
  [0xf0, 0x8f, 0xbf, 0xbf],
  [0xf4, 0x90, 0x80, 0x80],
  [0xf5, 0x80, 0x80, 0x80],
  [0xfe],
  [0xff],
  [0xe2, 0x82],
  [0xf0, 0x9f, 0x9a],
  [0xc3],
  [0xef, 0xbb, 0xbf]
] as const

const KINDS: readonly Damage[] = [
  (dice, bytes) => replace(bytes, dice.below(bytes.length), 1, [32 + dice.below(95)]),
  (dice, bytes) => replace(bytes, dice.below(bytes.length), 1, [dice.below(256)]),
  (dice, bytes) => replace(bytes, dice.below(bytes.length), 1, [dice.pick(STRUCTURE)]),
  (dice, bytes) => replace(bytes, dice.below(bytes.length + 1), 0, [dice.pick(STRUCTURE)]),
  (dice, bytes) => replace(bytes, dice.below(bytes.length), 1, [dice.below(32)]),
  (dice, bytes) => replace(bytes, dice.below(bytes.length), 1, []),
  (dice, bytes) => replace(bytes, dice.below(bytes.length), 1 + dice.below(8), []),
  (dice, bytes) => bytes.slice(0, dice.below(bytes.length)),
  (dice, bytes) => bytes.slice(dice.below(bytes.length)),
  (dice, bytes) => replace(bytes, dice.below(bytes.length + 1), 0, dice.pick(NOT_UTF8)),
  (dice, bytes) => replace(bytes, dice.below(bytes.length), 1, dice.pick(NOT_UTF8)),
  doubleOne,
  doubleStretch,
  swapTwo
]

function doubleOne(dice: Dice, bytes: Uint8Array): Uint8Array {
  const at = dice.below(bytes.length)
  return replace(bytes, at, 0, [bytes[at]])
}

function doubleStretch(dice: Dice, bytes: Uint8Array): Uint8Array {
  const at = dice.below(bytes.length)
  return replace(bytes, dice.below(bytes.length + 1), 0, [...bytes.slice(at, at + dice.below(20))])
}

function swapTwo(dice: Dice, bytes: Uint8Array): Uint8Array {
  const one = dice.below(bytes.length)
  const other = dice.below(bytes.length)
  return replace(replace(bytes, one, 1, [bytes[other]]), other, 1, [bytes[one]])
}

function replace(bytes: Uint8Array, at: number, count: number, by: readonly number[]): Uint8Array {
  const until = Math.min(bytes.length, at + count)
  const made = new Uint8Array(bytes.length - (until - at) + by.length)
  made.set(bytes.subarray(0, at))
  made.set(by, at)
  made.set(bytes.subarray(until), at + by.length)
  return made
}
