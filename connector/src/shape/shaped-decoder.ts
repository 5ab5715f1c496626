import { isUtf8 } from 'node:buffer'
import { CLOSE_BRACE, createFieldReader, OPEN_BRACE, QUOTE, SPACE } from '@keystamp/core/internal'
import type { SinkSettings } from '../config/settings.ts'
import type { ShapeStep } from '../config/shape-settings.ts'
import { SINK_CODES, type SinkRejection } from '../dead-letter/sink-codes.ts'
import { createDecoder, type Decoded, type Decoder } from '../decode/decoder.ts'
import { DecodeFailure } from '../decode/decode-failure.ts'
import { JsonTarget } from '../decode/json/json-target.ts'
import type { RegistryDependencies } from '../decode/registry-client.ts'
import type { SinkRecord } from '../kafka/consumer-port.ts'
import { compileChange, createCondition, pathOf } from './compile-step.ts'
import { ShapeFailure } from './convert-value.ts'
import { JsonNode, objectNode, textNode, writeNode } from './json-node.ts'

/** Creates the decoder of a sink, which also applies its shape. Without a shape, it is the decoder alone. */
export function createShapedDecoder(
  settings: Pick<SinkSettings, 'key' | 'value' | 'registry' | 'numbers' | 'shape'>,
  dependencies: Partial<RegistryDependencies> = {}
): Decoder {
  const decoder = createDecoder(settings, dependencies)
  const { shape = [], numbers } = settings
  if (shape.length === 0) return decoder
  const apply = compileShape(shape, numbers)
  return {
    decode: (record) => {
      const decoded = decoder.decode(record)
      if (decoded instanceof Promise) return decoded.then((later) => (later.ok ? apply(record, later) : later))
      return decoded.ok ? apply(record, decoded) : decoded
    },
    get waitingFor() {
      return decoder.waitingFor
    },
    close: decoder.close
  }
}

/** A record while its shape changes. */
export interface Subject {
  readonly record: SinkRecord
  readonly isTombstone: boolean
  /** Undefined if the record has no value. */
  value: JsonNode | undefined
  readonly givenKey: Decoded['key']
  /** Undefined if the record has no key; `UNREAD` before the first step that reads it. */
  key: JsonNode | undefined | typeof UNREAD
  isDropped: boolean
}

const UNREAD: unique symbol = Symbol('unread key')

type Step = (subject: Subject) => void

/** Applies a shape to a decoded record. */
type ApplyShape = (record: SinkRecord, decoded: Decoded) => Decoded | SinkRejection

/** Compiles the steps of a shape. A record that a step drops becomes a change that is ignored. */
function compileShape(shape: readonly ShapeStep[], numbers: SinkSettings['numbers']): ApplyShape {
  const steps = shape.map((step) => compileStep(step, numbers))
  const target = new JsonTarget()

  return (record, decoded) => {
    const { json, change } = decoded
    const row = json ?? change?.before
    const value = row && rootOf(row)
    // the plan rejects bytes that are not JSON, with the reason
    if (value === null) return decoded
    const isTombstone = json === undefined && change === undefined
    const subject: Subject = { record, isTombstone, value, givenKey: decoded.key, key: UNREAD, isDropped: false }
    const rejection = applySteps(subject)
    if (rejection !== undefined) return rejection
    if (subject.isDropped) return dropped(record, decoded)
    try {
      const written = subject.value && write(subject.value, row!)
      const shaped: Decoded = {
        ...decoded,
        json: json && written,
        key: subject.key === UNREAD || subject.key === undefined ? decoded.key : writeKey(subject.key)
      }
      if (change?.before === undefined) return shaped
      const before = json === undefined ? written! : shapedRow(record, change.before)
      return before instanceof Uint8Array ? { ...shaped, change: { ...change, before } } : before
    } catch (failure) {
      return rejectShape(failure, 'the end of the shape')
    }
  }

  function applySteps(subject: Subject): SinkRejection | undefined {
    let at = 0
    try {
      for (; at < steps.length && !subject.isDropped; at++) steps[at](subject)
      return undefined
    } catch (failure) {
      return rejectShape(failure, `step ${at + 1} of the shape (${shape[at].kind})`, shape[at].of)
    }
  }

  /** The row before a change, with all steps that do not depend on the record as a whole. */
  function shapedRow(record: SinkRecord, row: Uint8Array): Uint8Array | SinkRejection {
    const value = rootOf(row)
    if (value === null) return row
    const subject: Subject = { record, isTombstone: false, value, givenKey: null, key: UNREAD, isDropped: false }
    for (const [at, step] of steps.entries()) {
      try {
        step(subject)
      } catch (failure) {
        return rejectShape(failure, `step ${at + 1} of the shape (${shape[at].kind}), on the row before the change,`)
      }
    }
    return write(subject.value!, row)
  }

  function write(node: JsonNode, given: Uint8Array): Uint8Array {
    if (node.text === undefined && !node.isChanged) return slice(given, node)
    target.begin()
    writeNode(target, node)
    return target.end()
  }

  function writeKey(node: JsonNode): Decoded['key'] {
    if (node.first === QUOTE) return JSON.parse(node.json) as string
    if (node.json === 'null') return null
    target.begin()
    writeNode(target, node)
    return target.end()
  }
}

function slice(given: Uint8Array, { start, end }: JsonNode): Uint8Array {
  return start === 0 && end === given.length ? given : given.subarray(start, end)
}

function dropped(record: SinkRecord, { key }: Decoded): Decoded {
  const envelope = record.value ?? NOTHING
  return { ok: true, json: undefined, key, change: { kind: 'ignore', before: undefined, envelope } }
}

const NOTHING = new Uint8Array(0)

function compileStep(step: ShapeStep, numbers: SinkSettings['numbers']): Step {
  const apply = compileAlways(step, numbers)
  if (step.when === undefined) return apply
  const meets = createCondition(step.when)
  return (subject) => {
    if (meets(subject)) apply(subject)
  }
}

function compileAlways(step: ShapeStep, numbers: SinkSettings['numbers']): Step {
  if (step.kind === 'filter') {
    const meets = createCondition(step.condition)
    return (subject) => {
      subject.isDropped = meets(subject)
    }
  }
  if (step.kind === 'key') return valueToKey(step.fields)
  const change = compileChange(step, numbers)
  const { of } = step
  return (subject) => {
    if (of === 'key' && subject.key === UNREAD) subject.key = keyNode(subject.givenKey)
    const root = subject[of] as JsonNode | undefined
    // a tombstone, or a record without a key, has nothing to change
    if (root !== undefined) subject[of] = change(root, subject.record)
  }
}

/** Makes the key an object; as in Kafka Connect, a missing field is null in it. */
function valueToKey(fields: readonly string[]): Step {
  const paths = fields.map(pathOf)
  return (subject) => {
    const { value } = subject
    if (value === undefined) throw new ShapeFailure('', 'has no value to take the key from')
    const key = objectNode()
    for (const path of paths) key.set(path.slice(-1), value.at(path)?.clone() ?? NULL)
    subject.key = key
  }
}

const NULL = textNode('null')

const validator = createFieldReader([])

/** The value in these bytes; null if they are not JSON. */
function rootOf(bytes: Uint8Array): JsonNode | null {
  let [start, end] = [0, bytes.length]
  while (start < end && bytes[start] <= SPACE) start++
  while (end > start && bytes[end - 1] <= SPACE) end--
  if (bytes[start] === OPEN_BRACE && bytes[end - 1] === CLOSE_BRACE)
    return validator.scan(bytes, start, end) === end ? new JsonNode(toBuffer(bytes), start, end) : null
  const buffer = toBuffer(bytes)
  try {
    JSON.parse(strict.decode(bytes))
    return new JsonNode(buffer, start, end)
  } catch {
    return null
  }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function keyNode(key: Decoded['key']): JsonNode | undefined {
  if (key === null) return undefined
  if (typeof key === 'string') return textNode(JSON.stringify(key))
  const object = key[0] === OPEN_BRACE ? rootOf(key) : null
  if (object !== null) return object
  if (!isUtf8(key)) throw new ShapeFailure('', 'is not valid UTF-8')
  return textNode(JSON.stringify(toBuffer(key).toString()))
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

function rejectShape(failure: unknown, step: string, side: ShapeStep['of'] = 'value'): SinkRejection {
  const { sentence } = SINK_CODES.SHAPE_FAILED
  if (failure instanceof DecodeFailure)
    return {
      ok: false,
      stage: 'map',
      code: 'SHAPE_FAILED',
      message: `${sentence} At ${step}: ${failure.message}.`,
      path: ''
    }
  if (!(failure instanceof ShapeFailure)) throw failure
  const { path, message } = failure
  const whole = `the ${side}`
  const subject = path === '' ? whole : side === 'key' ? `${path} of the key` : path
  return {
    ok: false,
    stage: 'map',
    code: 'SHAPE_FAILED',
    message: `${sentence} At ${step}: ${subject} ${message}.`,
    path
  }
}
