import { createHash, createHmac } from 'node:crypto'
import { OPEN_BRACE, OPEN_BRACKET, QUOTE } from '@keystamp/core/internal'
import type { NumberPolicy } from '../config/settings.ts'
import type { CastType, MaskChange } from '../config/shape-settings.ts'
import { DecodeFailure } from '../decode/decode-failure.ts'
import { bigIntegerJson } from '../decode/json/write-number.ts'
import { type JsonNode, textNode } from './json-node.ts'

/** Converts one value; never called for null. `path` is that of the value, for a failure. */
export type Convert = (value: JsonNode, path: string) => JsonNode

const [LETTER_T, LETTER_F] = [0x74, 0x66]
const [TRUE, FALSE] = [textNode('true'), textNode('false')]

/** Creates the conversion to a type of the Cast transform. Unlike Kafka, it never drops the high bits of a number. */
export function createCast(type: CastType, numbers: NumberPolicy): Convert {
  const toNumber = type.startsWith('int') ? toInteger(type, numbers) : toFloat(type)
  return (value, path) => {
    const { first } = value
    if (first === OPEN_BRACE || first === OPEN_BRACKET)
      throw new ShapeFailure(path, `is an object or an array, which cannot be cast to ${type}`)
    const isText = first === QUOTE
    if (type === 'string') return isText ? value : textNode(`"${value.json}"`)
    if (first === LETTER_T || first === LETTER_F)
      return type === 'boolean' ? value : textNode(first === LETTER_T ? '1' : '0')
    const given = isText ? textOf(value) : value.json
    return type === 'boolean' ? toBoolean(given, isText, path) : textNode(toNumber(given, isText, path))
  }
}

function toBoolean(given: string, isText: boolean, path: string): JsonNode {
  // as in Kafka, the whole part of a number counts
  if (!isText) return Math.trunc(Number(given)) === 0 ? FALSE : TRUE
  const word = given.toLowerCase()
  if (word === 'true' || word === 'false') return word === 'true' ? TRUE : FALSE
  throw new ShapeFailure(path, 'is a string that is neither true nor false')
}

type ToNumber = (given: string, isText: boolean, path: string) => string

function toInteger(type: CastType, { int64 }: NumberPolicy): ToNumber {
  const bits = Number(type.slice('int'.length))
  const limit = 1n << BigInt(bits - 1)
  return (given, isText, path) => {
    if (isText && !/^[+-]?\d{1,20}$/.test(given)) throw new ShapeFailure(path, 'is a string that is not an integer')
    const number = Math.trunc(Number(given))
    if (Number.isSafeInteger(number)) {
      if (number >= -(2 ** (bits - 1)) && number < 2 ** (bits - 1)) return String(number === 0 ? 0 : number)
      throw new ShapeFailure(path, `is out of range for ${type}`)
    }
    if (!Number.isFinite(number)) throw new ShapeFailure(path, `is out of range for ${type}`)
    const big = /^[+-]?\d+$/.test(given) ? BigInt(given.replace('+', '')) : BigInt(number)
    if (big < -limit || big >= limit) throw new ShapeFailure(path, `is out of range for ${type}`)
    return withPath(path, () => bigIntegerJson(String(big), int64))
  }
}

function toFloat(type: CastType): ToNumber {
  return (given, isText, path) => {
    if (isText && !/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(given))
      throw new ShapeFailure(path, 'is a string that is not a number')
    const number = type === 'float32' ? Math.fround(Number(given)) : Number(given)
    if (!Number.isFinite(number)) throw new ShapeFailure(path, `is out of range for ${type}`)
    return type === 'float32' ? shortestFloat(number) : String(number === 0 ? 0 : number)
  }
}

/** The shortest decimal that identifies a 32-bit float. */
function shortestFloat(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const decimal = Number(value.toPrecision(digits))
    if (Math.fround(decimal) === value) return String(decimal === 0 ? 0 : decimal)
  }
  return String(Number(value.toPrecision(9)))
}

/** Calls a function of the decoders, whose failures have no path. */
export function withPath<T>(path: string, call: () => T): T {
  try {
    return call()
  } catch (error) {
    throw error instanceof DecodeFailure ? new ShapeFailure(path, `cannot be written: ${error.message}`) : error
  }
}

/** The content of a JSON string. */
export function textOf(value: JsonNode): string {
  return JSON.parse(value.json) as string
}

/** Creates a mask. Without replacement and hash, a value becomes the empty value of its type, as in Kafka. */
export function createMask({ replacement, hash, secret }: Omit<MaskChange, 'kind' | 'fields'>): Convert {
  if (hash !== undefined) return createHashMask(secret?.reveal())
  if (replacement === undefined) return (value) => EMPTY[kindOf(value)]()
  const text = textNode(JSON.stringify(replacement))
  const number = isJsonNumber(replacement) ? textNode(replacement) : undefined
  return (value, path) => {
    const kind = kindOf(value)
    if (kind === 'string') return text
    if (kind === 'number' && number !== undefined) return number
    throw new ShapeFailure(path, `is ${A[kind]}, which the replacement of a mask does not fit`)
  }
}

function isJsonNumber(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)
}

/** Replaces values by the hexadecimal SHA-256 of their text. */
function createHashMask(secret: string | undefined): Convert {
  return (value, path) => {
    const kind = kindOf(value)
    if (kind === 'object' || kind === 'array') throw new ShapeFailure(path, `is ${A[kind]}, which has no hash`)
    const hashing = secret === undefined ? createHash('sha256') : createHmac('sha256', secret)
    return textNode(`"${hashing.update(kind === 'string' ? textOf(value) : value.json).digest('hex')}"`)
  }
}

type Kind = 'string' | 'number' | 'boolean' | 'object' | 'array'

function kindOf({ first }: JsonNode): Kind {
  if (first === QUOTE) return 'string'
  if (first === OPEN_BRACE) return 'object'
  if (first === OPEN_BRACKET) return 'array'
  return first === LETTER_T || first === LETTER_F ? 'boolean' : 'number'
}

// later steps can change an object, so each record needs its own
const EMPTY: Readonly<Record<Kind, () => JsonNode>> = {
  string: () => textNode('""'),
  number: () => textNode('0'),
  boolean: () => FALSE,
  object: () => textNode('{}'),
  array: () => textNode('[]')
}

const A: Readonly<Record<Kind, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array'
}

/** Reason why a step cannot be applied to a record. Contains nothing of the payload. */
export class ShapeFailure extends Error {
  /** JSON pointer to the value. */
  readonly path: string

  /** `reason` continues a sentence after the path. */
  constructor(path: string, reason: string) {
    super(reason)
    this.path = path
  }
}
