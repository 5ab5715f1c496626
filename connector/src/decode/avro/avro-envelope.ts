import { CLOSE_BRACE, OPEN_BRACE, QUOTE } from '@keystamp/core/internal'
import type { NumberPolicy } from '../../config/settings.ts'
import { DecodeFailure, within } from '../decode-failure.ts'
import { packText, type JsonTarget, writePacked } from '../json/json-target.ts'
import { compileWriter, type ReadAvro, readBlock } from './avro-reader.ts'
import type { AvroRecord, AvroType } from './avro-schema.ts'
import type { AvroSource } from './avro-source.ts'

/** Parts of an envelope of change data, so that its JSON need not be scanned. */
export class EnvelopeParts {
  /** JSON of the envelope with these parts; undefined if only a scan finds them. */
  json: Uint8Array | undefined
  /** Code of the character in `op`. */
  op = 0
  before: Uint8Array | undefined
  after: Uint8Array | undefined
}

/**
 * Compiles the schema of change data into a reader that writes `op`, `before` and `after` only, and sets `parts`. Any
 * other schema gets a reader of whole values.
 */
export function createAvroEnvelopeReader(
  type: AvroType,
  numbers: NumberPolicy,
  { source, target, parts }: { source: AvroSource; target: JsonTarget; parts: EnvelopeParts }
): ReadAvro | undefined {
  if (type.kind !== 'record' || !['op', 'after'].every((name) => type.fields.some((field) => field.name === name)))
    return undefined
  const steps = type.fields.map(({ name, type: of }) => ({
    name,
    label: packText(`,"${name}":`),
    write: KEPT.has(name) ? compileWriter(of, numbers) : undefined,
    skip: KEPT.has(name) ? undefined : compileSkip(of)
  }))
  return (bytes, from) => {
    source.open(bytes, from)
    target.begin()
    target.enter()
    const ends = { op: 0, before: 0, after: 0 }
    const starts = { op: 0, before: 0, after: 0 }
    for (const { name, label, write, skip } of steps) {
      try {
        if (skip !== undefined) skip(source)
        else {
          writePacked(target, label)
          starts[name as Kept] = target.length
          write!(source, target)
          ends[name as Kept] = target.length
        }
      } catch (error) {
        throw within(error, name)
      }
    }
    target.leave()
    target.reserve(1)
    target.put(CLOSE_BRACE)
    if (source.at !== source.end) throw new DecodeFailure('bytes follow the value: it was written with another schema')
    const json = target.end()
    // in place of the comma before the first property
    json[0] = OPEN_BRACE
    setParts(parts, json, starts, ends)
    return json
  }
}

type Kept = 'op' | 'before' | 'after'
const KEPT: ReadonlySet<string> = new Set<Kept>(['op', 'before', 'after'])

function setParts(
  parts: EnvelopeParts,
  json: Buffer,
  starts: Readonly<Record<Kept, number>>,
  ends: Readonly<Record<Kept, number>>
): void {
  const { op } = starts
  // rows of MongoDB are strings of JSON
  const isKnown = ends.op - op === 3 && json[op] === QUOTE && isRow(json, starts.before) && isRow(json, starts.after)
  parts.json = isKnown ? json : undefined
  parts.op = json[op + 1]
  parts.before = json[starts.before] === OPEN_BRACE ? json.subarray(starts.before, ends.before) : undefined
  parts.after = json[starts.after] === OPEN_BRACE ? json.subarray(starts.after, ends.after) : undefined
}

const LETTER_N = 0x6e

/** Whether a row is an object, null, or absent. */
function isRow(json: Buffer, start: number): boolean {
  return start === 0 || json[start] === OPEN_BRACE || json[start] === LETTER_N
}

type Skip = (source: AvroSource) => void

/** Compiles a type into a function that reads over a value. */
function compileSkip(type: AvroType): Skip {
  const records = new Map<AvroRecord, Skip>()
  return compile(type)

  function compile(each: AvroType): Skip {
    switch (each.kind) {
      case 'null':
        return () => {}
      case 'boolean':
        return (source) => void source.take(1)
      case 'int':
      case 'long':
        return (source) => void source.readLong()
      case 'enum':
        return (source) => void source.readLength()
      case 'float':
        return (source) => void source.take(4)
      case 'double':
        return (source) => void source.take(8)
      case 'string':
      case 'bytes':
        return skipBytes
      case 'fixed':
        return (source) => void source.take(each.size)
      case 'union': {
        const branches = each.branches.map(compile)
        return (source) => {
          const branch = branches[source.readLength()]
          if (branch === undefined)
            throw new DecodeFailure('a union in it names a branch that its schema does not have')
          branch(source)
        }
      }
      case 'array':
        return skipBlocks(compile(each.items))
      case 'map': {
        const skipValue = compile(each.values)
        return skipBlocks((source) => {
          skipBytes(source)
          skipValue(source)
        })
      }
      case 'record':
        return records.get(each) ?? compileRecord(each)
    }
  }

  /** The schema of a record may contain itself. */
  function compileRecord(record: AvroRecord): Skip {
    const fields: Skip[] = []
    const skip: Skip = (source) => {
      for (const field of fields) field(source)
    }
    records.set(record, skip)
    for (const field of record.fields) fields.push(compile(field.type))
    return skip
  }
}

function skipBytes(source: AvroSource): void {
  source.take(source.readLength())
}

function skipBlocks(skipItem: Skip): Skip {
  return (source) => {
    for (let count = readBlock(source); count > 0; count = readBlock(source)) {
      // items without bytes could claim any number
      for (let left = count; left > 0; left--) {
        const { at } = source
        skipItem(source)
        if (source.at === at) break
      }
    }
  }
}
