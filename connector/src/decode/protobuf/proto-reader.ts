import { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET } from '@keystamp/core/internal'
import type { NumberPolicy } from '../../config/settings.ts'
import { DecodeFailure, within } from '../decode-failure.ts'
import { JsonTarget, packText, writePacked } from '../json/json-target.ts'
import { createLayout, FieldTable } from './field-table.ts'
import type { FindMessage, ProtoField, ProtoMessage, ProtoType } from './proto-schema.ts'
import { DELIMITED, ProtoSource } from './proto-source.ts'
import { createScalarWriter, defaultOf, defaultOfType, type ScalarType } from './scalars.ts'
import { createWellKnown } from './well-known.ts'

/** Converts the message from `from` to the end of `bytes` to JSON. Throws a DecodeFailure. */
export type ReadProtobuf = (bytes: Uint8Array, from: number) => Buffer

/** State of one conversion. */
export interface ReaderState {
  readonly source: ProtoSource
  readonly target: JsonTarget
  readonly table: FieldTable
}

/**
 * Writes the value in an entry of the table. `isMerged`: all occurrences of the field are parts of one message, which
 * happens if a producer joins the bytes of two messages.
 */
export type WriteEntry = (state: ReaderState, entry: number, isMerged: boolean) => void

/**
 * Creates a reader for the messages of a schema, which begin with the indexes of their message, as Confluent's
 * serializers write them.
 */
export function createProtobufReader(find: FindMessage, numbers: NumberPolicy, target: JsonTarget): ReadProtobuf {
  const state: ReaderState = { source: new ProtoSource(), target, table: new FieldTable() }
  const { source, table } = state
  const writers = new Map<string, WriteEntry>()
  const compile = createCompiler(numbers)
  return (bytes, from) => {
    source.open(bytes, from)
    const { end } = source
    const indexes = readIndexes(source)
    const name = indexes.join()
    let write = writers.get(name)
    if (write === undefined) writers.set(name, (write = compileOrFail(() => compile(find(indexes)))))
    target.begin()
    table.clear()
    write(state, table.whole(source.at, end), false)
    return target.end()
  }
}

/** A schema can have a chain of messages that is longer than the stack. */
function compileOrFail(compile: () => WriteEntry): WriteEntry {
  try {
    return compile()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new DecodeFailure('its schema is not a Protobuf schema (it has too many messages)', 'SCHEMA_UNKNOWN')
  }
}

const MAX_INDEXES = 32
const FIRST: readonly number[] = [0]

/** Indexes of a message: its number among the messages of the file, and then inside of the message. */
function readIndexes(source: ProtoSource): readonly number[] {
  const count = readIndex(source)
  if (count === 0) return FIRST
  if (count > MAX_INDEXES) throw new DecodeFailure('it does not begin with the indexes of a message')
  return Array.from({ length: count }, () => readIndex(source))
}

function readIndex(source: ProtoSource): number {
  const bits = source.readVarint()
  const index = (bits >>> 1) ^ -(bits & 1)
  if (index < 0 || source.high !== 0) throw new DecodeFailure('it does not begin with the indexes of a message')
  return index
}

function createCompiler(numbers: NumberPolicy): (message: ProtoMessage) => WriteEntry {
  const known = new Map<ProtoMessage, WriteEntry>()
  const keys = new JsonTarget()
  return compileMessage

  /** A message may contain itself, so its writer is registered before those of its fields. */
  function compileMessage(message: ProtoMessage): WriteEntry {
    const made = known.get(message)
    if (made !== undefined) return made
    const fields: WriteEntry[] = []
    const write = createWellKnown(message, fields, numbers) ?? messageWriter(message, fields)
    known.set(message, write)
    for (const field of message.fields) fields.push(compileField(field))
    return write
  }

  function compileField(field: ProtoField): WriteEntry {
    const { label, type } = field
    const write = type.kind === 'message' ? compileMessage(type.message) : compileScalar(type)
    if (label === 'map') return mapWriter(field, write, keys)
    return label === 'repeated' ? listWriter(write, type.kind === 'message' ? undefined : type) : write
  }

  function compileScalar(type: ScalarType): WriteEntry {
    const write = createScalarWriter(type, numbers)
    return ({ source, target, table }, entry) => {
      source.move(table.startOf(entry), table.endOf(entry))
      write(source, target)
    }
  }

  /** Numbers of a list can be packed: several in one occurrence of the field. */
  function listWriter(writeItem: WriteEntry, scalar: ScalarType | undefined): WriteEntry {
    const canBePacked = scalar !== undefined && scalar.kind !== 'string' && scalar.kind !== 'bytes'
    const writePackedItem = canBePacked ? createScalarWriter(scalar, numbers) : undefined
    return (state, first) => {
      const { source, target, table } = state
      open(target, OPEN_BRACKET)
      let index = 0
      try {
        for (let entry = first; entry >= 0; entry = table.nextOf(entry)) {
          if (writePackedItem === undefined || table.wireOf(entry) !== DELIMITED) {
            separate(target, index++)
            writeItem(state, entry, false)
            continue
          }
          source.move(table.startOf(entry), table.endOf(entry))
          while (source.at < source.end) {
            separate(target, index++)
            writePackedItem(source, target)
          }
        }
      } catch (error) {
        throw within(error, Math.max(0, index - 1))
      }
      close(target, CLOSE_BRACKET)
    }
  }
}

function messageWriter(message: ProtoMessage, writers: readonly WriteEntry[]): WriteEntry {
  const { fields } = message
  const layout = createLayout(message)
  const labels = fields.map(({ name }) => packText(`"${name}":`))
  const defaults = fields.map((field) => packText(defaultOf(field)))
  return (state, entry, isMerged) => {
    const { source, target, table } = state
    open(target, OPEN_BRACE)
    const base = table.scan(source, layout, entry, isMerged)
    let written = 0
    for (let index = 0; index < fields.length; index++) {
      const found = table.firstOf(base, index)
      const field = fields[index]
      if (found < 0 && field.isRequired) throw within(new DecodeFailure('a required field is missing'), field.name)
      if (found < 0 && field.hasPresence) continue
      separate(target, written++)
      writePacked(target, labels[index])
      if (found < 0) writePacked(target, defaults[index])
      else writeField(state, writers[index], found, field.name)
    }
    table.leave(base)
    close(target, CLOSE_BRACE)
  }
}

function writeField(state: ReaderState, write: WriteEntry, entry: number, name: string): void {
  try {
    write(state, entry, true)
  } catch (error) {
    throw within(error, name)
  }
}

/** Keys of maps are names, so they keep all digits. */
const MAP_KEYS: NumberPolicy = { int64: 'number', decimal: 'string' }

/**
 * Writes a map, which is a list of pairs. Of several pairs with one key, the last one counts. An error inside of a map
 * has the path of the map, without the key: keys are payload.
 */
function mapWriter({ keys: kind, type }: ProtoField, writeValue: WriteEntry, keys: JsonTarget): WriteEntry {
  const keyType = { kind: kind! }
  const layout = createLayout({ name: '', fields: [pairField(1, keyType), pairField(2, type)] })
  const writeKey = createScalarWriter(keyType, MAP_KEYS)
  const [missingKey, missing] = [keyType, type].map((each) => packText(defaultOfType(each)))
  return (state, first) => {
    const { source, target, table } = state
    open(target, OPEN_BRACE)
    const last = new Map<string, number>()
    for (let entry = first; entry >= 0; entry = table.nextOf(entry)) last.set(keyOf(state, entry), entry)
    let index = 0
    for (const [key, entry] of last) {
      separate(target, index++)
      target.writeAscii(key)
      target.reserve(1)
      target.put(COLON)
      const base = table.scan(source, layout, entry, false)
      const value = table.firstOf(base, 1)
      if (value < 0) writePacked(target, missing)
      else writeValue(state, value, true)
      table.leave(base)
    }
    close(target, CLOSE_BRACE)
  }

  /** The key of a pair as JSON, in Latin-1: each character is one byte. */
  function keyOf({ source, table }: ReaderState, entry: number): string {
    const base = table.scan(source, layout, entry, false)
    const found = table.firstOf(base, 0)
    keys.begin()
    if (found < 0) writePacked(keys, missingKey)
    else {
      source.move(table.startOf(found), table.endOf(found))
      writeKey(source, keys)
    }
    table.leave(base)
    const json = keys.end().toString('latin1')
    return json.startsWith('"') ? json : `"${json}"`
  }
}

function pairField(number: number, type: ProtoType): ProtoField {
  const name = number === 1 ? 'key' : 'value'
  return {
    number,
    name,
    label: 'single',
    type,
    keys: undefined,
    hasPresence: false,
    isRequired: false,
    oneof: undefined
  }
}

function open(target: JsonTarget, bracket: number): void {
  target.enter()
  target.reserve(1)
  target.put(bracket)
}

function close(target: JsonTarget, bracket: number): void {
  target.leave()
  target.reserve(1)
  target.put(bracket)
}

function separate(target: JsonTarget, index: number): void {
  target.reserve(1)
  if (index > 0) target.put(COMMA)
}
