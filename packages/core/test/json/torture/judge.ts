import { isDeepStrictEqual } from 'node:util'
import { createBytesStamper, type BytesStamper } from '../../../src/json/create-bytes-stamper.ts'
import { joinedLength, joinInto, type StampedBytes } from '../../../src/json/join.ts'
import { MemberTable, readProperty } from '../../../src/json/member-table.ts'
import { COMPOSITE, type FieldValue, type KeyValue } from '../../../src/key/field-value.ts'
import { type Pointer } from '../../../src/text/pointer.ts'
import type { Rejection } from '../../../src/errors/rejection.ts'
import { type NaiveMember, type NaiveTree, readNaiveTree } from './naive-tree.ts'
import type { TorturePlan } from './torture-plan.ts'

/** Returns what the stamper did wrong with these bytes, or undefined. Counts the records that got a key as accepted. */
export interface Judge {
  readonly complaint: (bytes: Uint8Array) => string | undefined
  readonly accepted: () => number
  /** Share of usual records among the documents that it gets. */
  readonly usual: number
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function createJudge(plan: TorturePlan): Judge {
  const stamper = createBytesStamper(plan)
  let accepted = 0
  return { complaint, accepted: () => accepted, usual: 0.1 }

  function complaint(bytes: Uint8Array): string | undefined {
    const result = stamper.stamp(bytes)
    const wanted = parseStrictly(bytes)
    if (wanted?.code !== undefined || wanted === undefined)
      return faultOfVerdict(bytes, result, wanted?.code ?? 'JSON_INVALID')
    const tree = readNaiveTree(wanted.text)
    const fault = faultOfFields(plan, tree)
    if (fault !== undefined) return fault
    const decision = plan.decide(plan.seen(), undefined)
    if (!decision.ok) throw new Error('A torture plan never rejects.')
    const output = write(wanted.value, plan, decision.writes)
    if (output === undefined) return result.ok || result.code !== 'INTO_BLOCKED' ? say('blocked', result) : undefined
    if (!result.ok) return say('refused', result)
    accepted++
    return faultOfOutput(result, plan, output) ?? faultOfMembers(result, tree) ?? faultOfElement(stamper, result)
  }
}

function faultOfVerdict(bytes: Uint8Array, result: StampedBytes | Rejection, wanted: string): string | undefined {
  if (result.ok) return say('verdict', result, wanted)
  if (result.code === wanted) return undefined
  return result.code === 'JSON_TOO_DEEP' && isTooDeepBefore(bytes, result.at ?? 0)
    ? undefined
    : say('verdict', result, wanted)
}

interface Parsed {
  readonly text: string
  readonly value: object
  readonly code: string | undefined
}

function parseStrictly(bytes: Uint8Array): Parsed | undefined {
  try {
    const text = decoder.decode(bytes)
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return { text, value: {}, code: 'JSON_NOT_OBJECT' }
    const code = depthOf(text) > 128 ? 'JSON_TOO_DEEP' : Array.isArray(value) ? 'JSON_NOT_OBJECT' : undefined
    return { text, value, code }
  } catch {
    return undefined
  }
}

/** A record that is nested too deeply is rejected at the first byte that is too deep, even if mistakes follow. */
function isTooDeepBefore(bytes: Uint8Array, at: number): boolean {
  return depthOf(Buffer.from(bytes.subarray(0, at + 1)).toString('latin1')) > 128
}

function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (token === '[' || token === '{') deepest = Math.max(deepest, ++depth)
    else if (token === ']' || token === '}') depth--
  }
  return deepest
}

function faultOfFields(plan: TorturePlan, tree: NaiveTree): string | undefined {
  const wanted = plan.fields.map((pointer) => readAt(tree, pointer))
  const seen = plan.seen()
  const wrong = wanted.findIndex((value, field) => !isDeepStrictEqual(value, seen[field]))
  return wrong < 0
    ? undefined
    : `field ${plan.fields[wrong].join('/')}: wanted ${String(wanted[wrong])}, got ${String(seen[wrong])}`
}

function readAt(tree: NaiveTree, pointer: Pointer): FieldValue {
  let place: NaiveTree | undefined = tree
  for (const name of pointer) place = place?.members?.findLast((member) => member.name === name)?.value
  if (place === undefined) return undefined
  if (place.members !== undefined) return COMPOSITE
  const value = JSON.parse(place.text) as FieldValue
  const isInexact = typeof value === 'number' && /^-?\d{1,2048}$/.test(place.text) && !Number.isSafeInteger(value)
  return isInexact ? BigInt(place.text) : value
}

/** Returns the parsed record with the properties that the plan writes; undefined if a parent is not an object. */
function write(record: object, plan: TorturePlan, writes: readonly (KeyValue | undefined)[]): object | undefined {
  for (const [member, { pointer }] of plan.managed.entries()) {
    const value = writes[member]
    if (value !== undefined && !setAt(record, pointer, value)) return undefined
  }
  return record
}

function setAt(record: object, pointer: Pointer, value: KeyValue): boolean {
  let place = record
  for (const [depth, name] of pointer.entries()) {
    const isThere = Object.hasOwn(place, name) && !(Array.isArray(place) && name === 'length')
    if (Array.isArray(place) && !isThere) return false
    const last = depth === pointer.length - 1
    if (last || !isThere) define(place, name, last ? value : {})
    if (last) return true
    const next = Object.getOwnPropertyDescriptor(place, name)?.value as unknown
    if (typeof next !== 'object' || next === null) return false
    place = next
  }
  return true
}

function define(place: object, name: string, value: unknown): void {
  Object.defineProperty(place, name, { value, enumerable: true, configurable: true, writable: true })
}

function faultOfOutput(result: StampedBytes, plan: TorturePlan, output: object): string | undefined {
  let from = result.start
  for (const { at, end } of result.splices) {
    if (at < from || end < at || end > result.end) return `splices out of order: ${JSON.stringify(result.splices)}`
    from = end
  }
  const length = joinedLength(result)
  const target = new Uint8Array(length + 6).fill(7)
  if (joinInto(result, target, 3) !== length + 3 || target[length + 3] !== 7 || target[2] !== 7)
    return 'joinedLength and joinInto differ'
  const text = decoder.decode(target.subarray(3, length + 3))
  if (!isDeepStrictEqual(JSON.parse(text), output)) return `output ${text}`
  const tree = readNaiveTree(text)
  for (const pointer of [['id'], ['ttl'], ...plan.managed.map((member) => member.pointer)]) {
    if (!isUnique(tree, pointer)) return `${pointer.join('/')} stands twice in ${text}`
  }
  return undefined
}

function isUnique(tree: NaiveTree, pointer: Pointer): boolean {
  let place: NaiveTree | undefined = tree
  for (const name of pointer) {
    const found: readonly { readonly value: NaiveTree }[] =
      place?.members?.filter((member) => member.name === name) ?? []
    if (found.length > 1) return false
    place = found[0]?.value
  }
  return true
}

function faultOfMembers(result: StampedBytes, tree: NaiveTree): string | undefined {
  const { bytes } = result
  const members = new MemberTable(result)
  const wanted = tree.members ?? []
  if (members.size !== wanted.length) return `members: wanted ${wanted.length}, got ${members.size}`
  for (const [each, member] of wanted.entries()) {
    const name: unknown = JSON.parse(decoder.decode(bytes.subarray(members.nameStart(each), members.nameEnd(each))))
    const text = decoder.decode(bytes.subarray(members.valueStart(each), members.valueEnd(each)))
    if (name !== member.name || members.name(each) !== member.name || text !== member.value.text)
      return `member ${each}: ${member.name}`
    if (members.find(member.name) !== wanted.findLastIndex((other) => other.name === member.name))
      return `find ${member.name}`
    if (!isDeepStrictEqual(readProperty(result, member.name), lastValue(wanted, member.name)))
      return `value of ${member.name}`
  }
  return undefined
}

function lastValue(members: readonly NaiveMember[], name: string): unknown {
  return JSON.parse(members.findLast((member) => member.name === name)!.value.text)
}

/**
 * The same record as an element of an array must have the same result. If it is cut at any position, it must be
 * incomplete.
 */
function faultOfElement(stamper: BytesStamper, result: StampedBytes): string | undefined {
  const { bytes, start, end, splices } = result
  const padded = new Uint8Array(end - start + 8)
  padded.set(bytes.subarray(start, end), 2)
  padded.set([0x2c, 0x7b], end - start + 2)
  const element = stamper.stampElement(padded, undefined, 2, end - start + 4)
  if (element?.end !== end - start + 2 || !element.result.ok) return 'as an element it ends elsewhere'
  const same = element.result.splices.map((splice) => ({
    ...splice,
    at: splice.at - 2 + start,
    end: splice.end - 2 + start
  }))
  if (!isDeepStrictEqual(same, splices)) return 'as an element it gives other splices'
  const cut = 2 + ((end * 7919) % (end - start))
  padded.fill(0, cut)
  return cut > 2 && stamper.stampElement(padded, undefined, 2, cut) !== undefined
    ? `cut at ${cut - 2} it is not incomplete`
    : undefined
}

function say(what: string, result: StampedBytes | Rejection, wanted = 'a key'): string {
  return `${what}: wanted ${wanted}, got ${result.ok ? 'a key' : `${result.code} at ${result.at}`}`
}
