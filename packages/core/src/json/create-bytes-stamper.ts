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

/** Outcome for a value whose end was not known before. */
export interface StampedElement {
  readonly result: StampedBytes | Rejection
  /** Position after the value; undefined where it cannot be found: the JSON is invalid, or has no end within 1 GiB. */
  readonly end: number | undefined
}

/** Stamps JSON bytes, one record after the other. Keeps a reference to the last buffer, but no data of records. */
export interface BytesStamper {
  /**
   * Stamps the record in `bytes[start, end)`, which may have whitespace around it. Reads no other bytes.
   * Accepts every object that JSON.parse accepts after a strict UTF-8 decode, if it has at most 128 levels and less than 1 GiB.
   */
  readonly stamp: (bytes: Uint8Array, source?: Source, start?: number, end?: number) => StampedBytes | Rejection
  /**
   * Stamps the value that begins at `start`, which must not be whitespace, and finds its end; undefined where `bytes[start, limit)` is only a part of it.
   * Requires that `bytes[limit]` exists and is zero.
   */
  readonly stampElement: (bytes: Uint8Array, source: Source | undefined, start: number, limit: number) => StampedElement | undefined
}

const MAX_BYTES = 2 ** 30

let isWarm = false

/** Creates the front end of a plan for JSON bytes. */
export function createBytesStamper(plan: CompiledPlan): BytesStamper {
  warmUpOnce()
  const watch = createWatchList(plan)
  const scanner = new Scanner(watch)
  const findSplices = createSpliceFinder(watch)
  const stampDirectly = plan.direct && createDirectStamper(plan.direct, watch)

  const paths = watch.fields
  // One array for all records, since a plan does not keep it.
  const fields: FieldValue[] = paths.map(() => undefined)

  // Fast path for the most common plan and record: one property to write, at the top level, that the record does not have yet.
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
    // The end of a number is known only from the byte after it.
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
