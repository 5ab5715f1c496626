import { DecodeFailure } from '../decode-failure.ts'
import type { ProtoField, ProtoMessage, ProtoType } from './proto-schema.ts'
import { DELIMITED, END_OF_GROUP, FIXED32, FIXED64, type ProtoSource, VARINT } from './proto-source.ts'

/** Fields of a message, by their indexes in its schema. */
export interface Layout {
  readonly size: number
  /** Index of the field with a number; -1 if the message has none. */
  readonly indexOf: (number: number) => number
  readonly wires: readonly number[]
  readonly canBePacked: readonly boolean[]
  /** Whether all occurrences of the field count, and not only the last one. */
  readonly countsAll: readonly boolean[]
  /** The other fields of the oneof, which an occurrence of the field removes. */
  readonly rivals: readonly (readonly number[])[]
}

/** Numbers up to this one are looked up in a list. */
const MAX_DENSE = 1024

export function createLayout({ fields }: ProtoMessage): Layout {
  const byNumber = new Map(fields.map(({ number }, index) => [number, index]))
  const dense = new Int32Array(Math.min(MAX_DENSE, Math.max(0, ...byNumber.keys())) + 1).fill(-1)
  for (const [number, index] of byNumber) if (number < dense.length) dense[number] = index
  return {
    size: fields.length,
    indexOf: (number) => (number < dense.length ? dense[number] : (byNumber.get(number) ?? -1)),
    wires: fields.map((field) => (field.label === 'map' ? DELIMITED : wireOf(field.type))),
    canBePacked: fields.map(({ label, type }) => label === 'repeated' && wireOf(type) !== DELIMITED),
    countsAll: fields.map(({ label, type }) => label !== 'single' || type.kind === 'message'),
    rivals: fields.map((field) => rivalsOf(field, fields))
  }
}

function rivalsOf({ oneof, number }: ProtoField, fields: readonly ProtoField[]): readonly number[] {
  if (oneof === undefined) return []
  return fields.flatMap((each, index) => (each.oneof === oneof && each.number !== number ? [index] : []))
}

/** Wire type of a value. */
function wireOf({ kind }: ProtoType): number {
  if (kind === 'string' || kind === 'bytes' || kind === 'message') return DELIMITED
  if (kind === 'double' || kind === 'fixed64' || kind === 'sfixed64') return FIXED64
  return kind === 'float' || kind === 'fixed32' || kind === 'sfixed32' ? FIXED32 : VARINT
}

/**
 * Positions of the fields of a message and of those that it is inside of. The fields of a message can come in any
 * order, so they are found before they are written. An entry is one occurrence of a field.
 */
export class FieldTable {
  #starts = new Int32Array(256)
  #ends = new Int32Array(256)
  #next = new Int32Array(256)
  #wires = new Uint8Array(256)
  #count = 0
  /** First and last entry of each field, for each open message; before them the number of entries at its begin. */
  #firsts = new Int32Array(256)
  #lasts = new Int32Array(256)
  #top = 0

  clear(): void {
    this.#count = 0
    this.#top = 0
  }

  /** Adds an entry that is no field. */
  whole(start: number, end: number): number {
    return this.#add(start, end, DELIMITED)
  }

  startOf(entry: number): number {
    return this.#starts[entry]
  }

  endOf(entry: number): number {
    return this.#ends[entry]
  }

  wireOf(entry: number): number {
    return this.#wires[entry]
  }

  /** The next occurrence of the same field; -1 if there is none. */
  nextOf(entry: number): number {
    return this.#next[entry]
  }

  /** First occurrence of a field, which is the last one in the bytes if only that counts; -1 if there is none. */
  firstOf(base: number, index: number): number {
    return this.#firsts[base + index]
  }

  /**
   * Finds the fields of a message. `isMerged`: the message has several parts, the occurrences of its field. Returns the
   * base for `firstOf`. Requires `leave` after that.
   */
  scan(source: ProtoSource, layout: Layout, entry: number, isMerged: boolean): number {
    const base = this.#enter(layout.size)
    for (let part = entry; part >= 0; part = isMerged ? this.#next[part] : -1) {
      source.move(this.#starts[part], this.#ends[part])
      while (source.at < source.end) this.#readField(source, layout, base)
    }
    return base
  }

  leave(base: number): void {
    this.#top = base - 1
    this.#count = this.#firsts[base - 1]
  }

  #enter(size: number): number {
    const base = this.#top + 1
    this.#top = base + size
    if (this.#top > this.#firsts.length) {
      this.#firsts = grown(this.#firsts, this.#top)
      this.#lasts = grown(this.#lasts, this.#top)
    }
    this.#firsts[base - 1] = this.#count
    this.#firsts.fill(-1, base, this.#top)
    return base
  }

  #readField(source: ProtoSource, layout: Layout, base: number): void {
    const tag = source.readVarint() >>> 0
    const wire = tag & 7
    const number = tag >>> 3
    if (number === 0 || source.high !== 0 || wire === END_OF_GROUP)
      throw new DecodeFailure('a field in it has no valid number')
    const index = layout.indexOf(number)
    if (wire !== DELIMITED) {
      const start = source.at
      source.skip(wire)
      if (index >= 0) this.#found(layout, base, index, start, source.at, wire)
      return
    }
    const start = source.takeDelimited()
    if (index >= 0) this.#found(layout, base, index, start, source.at, wire)
  }

  #found(layout: Layout, base: number, index: number, start: number, end: number, wire: number): void {
    if (wire !== layout.wires[index] && !(wire === DELIMITED && layout.canBePacked[index]))
      throw new DecodeFailure('a field in it has another wire type than in its schema')
    for (const rival of layout.rivals[index]) this.#firsts[base + rival] = -1
    const entry = this.#add(start, end, wire)
    if (layout.countsAll[index] && this.#firsts[base + index] >= 0) this.#next[this.#lasts[base + index]] = entry
    else this.#firsts[base + index] = entry
    this.#lasts[base + index] = entry
  }

  #add(start: number, end: number, wire: number): number {
    const entry = this.#count++
    if (entry >= this.#starts.length) {
      this.#starts = grown(this.#starts, entry)
      this.#ends = grown(this.#ends, entry)
      this.#next = grown(this.#next, entry)
      const wires = new Uint8Array(this.#starts.length)
      wires.set(this.#wires)
      this.#wires = wires
    }
    this.#starts[entry] = start
    this.#ends[entry] = end
    this.#next[entry] = -1
    this.#wires[entry] = wire
    return entry
  }
}

function grown(list: Int32Array, least: number): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(Math.max(2 * list.length, least + 1))
  longer.set(list)
  return longer
}
