import type { CompiledPlan } from '../key/compile-plan.ts'
import type { FieldValue } from '../key/field-value.ts'
import type { Source } from '../key/kafka.ts'
import { reject, type Rejection } from '../errors/rejection.ts'
import { CLOSE_BRACE, isWhitespace, OPEN_BRACE } from './characters.ts'
import { createDirectStamper } from './direct-stamper.ts'
import { createInsertion, createName, createSpliceFinder } from './splices.ts'
import { MemberTable } from './member-table.ts'
import { warmUp } from './warm-up.ts'
import { readField } from './read-value.ts'
import { rejectOther, rejectScan, skipValue } from './invalid-json.ts'
import { ABSENT, Scanner } from './scanner.ts'
import type { StampedBytes } from './stamped-bytes.ts'
import { createWatchList } from './watch-list.ts'

/** What became of a value whose end was not known before. */
export interface StampedElement {
  readonly result: StampedBytes | Rejection
  /** Position behind the value; undefined where nobody can say: the grammar is broken, or there is no end within 1 GiB. */
  readonly end: number | undefined
}

/** A plan over JSON bytes. One stamper serves one record after the other; it keeps nothing of them, but holds on to the last buffer. */
export interface BytesStamper {
  /**
   * Stamps the record that fills `bytes[start, end)`, whitespace round it allowed. Reads nothing outside.
   * Accepts what JSON.parse accepts after a strict UTF-8 decode, if it is an object, at most 128 levels deep and smaller than 1 GiB.
   */
  readonly stamp: (bytes: Uint8Array, source?: Source, start?: number, end?: number) => StampedBytes | Rejection
  /**
   * Stamps the value that begins at `start`, which is no whitespace, and says where it ends; undefined when `bytes[start, limit)` holds only a part of it.
   * Demands that `bytes[limit]` can be read and is zero.
   */
  readonly stampElement: (bytes: Uint8Array, source: Source | undefined, start: number, limit: number) => StampedElement | undefined
}

const MAX_BYTES = 2 ** 30

let isWarm = false

/** Makes the front end of a plan for JSON bytes. */
export function createBytesStamper(plan: CompiledPlan): BytesStamper {
  warmUpOnce()
  const watch = createWatchList(plan)
  const scanner = new Scanner(watch)
  const findSplices = createSpliceFinder(watch)
  const stampDirectly = plan.direct && createDirectStamper(plan.direct, watch)

  const paths = watch.fields
  // One array for all records: a plan reads it and keeps nothing of it.
  const fields: FieldValue[] = paths.map(() => undefined)

  // The most common plan and record, without a step too many: one member to write, at the top, not there yet.
  const isFresh = plan.managed.length === 1 && plan.managed[0].pointer.length === 1
  const freshKey = isFresh ? plan.freshKey : undefined
  const freshPath = isFresh ? watch.managed[0] : 0
  const freshName = createName(watch.paths[freshPath].name)

  return { stamp, stampElement }

  function stamp(bytes: Uint8Array, source?: Source, start = 0, end: number = bytes.length): StampedBytes | Rejection {
    let first = start
    let limit = end
    while (first < limit && isWhitespace(bytes[first])) first++
    while (limit > first && isWhitespace(bytes[limit - 1])) limit--
    if (limit - first >= MAX_BYTES || limit >= 2 ** 31) return reject('JSON_TOO_LARGE', '')
    if (first === limit || bytes[limit - 1] !== CLOSE_BRACE) return rejectOther(scanner, bytes, first, limit, start)
    const scanEnd = scanner.scan(bytes, first, limit)
    if (scanEnd !== limit) return rejectScan(scanner, bytes, scanEnd, limit, start)
    return decide(bytes, source, first, limit)
  }

  function stampElement(bytes: Uint8Array, source: Source | undefined, start: number, limit: number): StampedElement | undefined {
    const scanEnd = scanner.scan(bytes, start, limit)
    if (scanEnd < 0) {
      if (~scanEnd >= limit) return limit - start < MAX_BYTES ? undefined : { result: reject('JSON_TOO_LARGE', ''), end: undefined }
      const result = rejectScan(scanner, bytes, scanEnd, limit, start)
      if (!scanner.tooDeep) return { result, end: undefined }
      const end = skipValue(bytes, start, limit)
      return end === undefined ? undefined : { result, end }
    }
    // Only the byte behind a number tells that it has ended.
    if (scanEnd === limit && bytes[start] !== OPEN_BRACE) return undefined
    if (bytes[start] !== OPEN_BRACE) return { result: reject('JSON_NOT_OBJECT', ''), end: scanEnd }
    if (scanEnd - start >= MAX_BYTES) return { result: reject('JSON_TOO_LARGE', ''), end: scanEnd }
    return { result: decide(bytes, source, start, scanEnd), end: scanEnd }
  }

  function decide(bytes: Uint8Array, source: Source | undefined, start: number, end: number): StampedBytes | Rejection {
    const stamped = stampDirectly?.(bytes, scanner, source, start, end)
    if (stamped !== undefined) return stamped
    scanner.countFromBytes()
    const values = readFields(bytes)
    if (freshKey !== undefined && scanner.valueStarts[freshPath] === ABSENT && scanner.repeated.length === 0) {
      const key = freshKey(values, source)
      if (typeof key === 'object' && key !== null) return key
      const splices = [createInsertion(bytes, start, end - 1, freshName, key, false)]
      return { ok: true, bytes, start, end, splices, values: [key], id: undefined, version: 0, members: new MemberTable(bytes, start, end) }
    }
    const decision = plan.decide(values, source)
    if (!decision.ok) return decision
    const splices = findSplices(bytes, scanner, decision)
    if ('ok' in splices) return splices
    const { id, version } = decision
    return { ok: true, bytes, start, end, splices, values: decision.values, id, version, members: new MemberTable(bytes, start, end) }
  }

  function readFields(bytes: Uint8Array): readonly FieldValue[] {
    const { valueStarts, valueEnds } = scanner
    for (let field = 0; field < paths.length; field++) {
      const start = valueStarts[paths[field]]
      fields[field] = start === ABSENT ? undefined : readField(bytes, start, valueEnds[paths[field]])
    }
    return fields
  }
}

function warmUpOnce(): void {
  if (!isWarm) warmUp()
  isWarm = true
}
