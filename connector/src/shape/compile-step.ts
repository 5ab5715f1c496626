import { escapePointerToken, OPEN_BRACE, parsePointer, QUOTE } from '@keystamp/core/internal'
import type { NumberPolicy } from '../config/settings.ts'
import type { Condition, Inserted, ShapeChange } from '../config/shape-settings.ts'
import { TopicPattern } from '../config/topic-pattern.ts'
import type { SinkRecord } from '../kafka/consumer-port.ts'
import { createTimeConversion } from './convert-time.ts'
import { type Convert, createCast, createMask, textOf, ShapeFailure } from './convert-value.ts'
import { type JsonNode, objectNode, textNode } from './json-node.ts'

/**
 * Changes one side of a record: returns the new root, or the given one. Throws a ShapeFailure if that is not possible.
 */
export type Change = (root: JsonNode, record: SinkRecord) => JsonNode

/** Compiles the change of a step on one side of a record. `key` and `filter` are no such changes. */
export function compileChange(
  step: Exclude<ShapeChange, { readonly kind: 'key' | 'filter' }>,
  numbers: NumberPolicy
): Change {
  switch (step.kind) {
    case 'exclude':
      return inPlace(step.fields.map(pathOf), (root, path) => void root.remove(path))
    case 'include':
      return include(step.fields)
    case 'rename':
      return move(step.fields, true)
    case 'copy':
      return move(step.fields, false)
    case 'insert':
      return insert(step.fields)
    case 'flatten':
      return flatten(step.delimiter)
    case 'hoist':
      return hoist(step.name)
    case 'extract':
      return extract(step.field)
    case 'mask':
      return convertFields(step.fields, createMask(step), true)
    case 'cast': {
      const casts = [...step.types].map(([field, type]) => convertFields([field], createCast(type, numbers), false))
      return (root, record) => casts.reduce((each, cast) => cast(each, record), root)
    }
    case 'timestamp':
      return convertFields(step.fields, createTimeConversion(step, numbers), false)
  }
}

function inPlace(
  paths: readonly (readonly string[])[],
  change: (root: JsonNode, path: readonly string[]) => void
): Change {
  return (root) => {
    demandObject(root)
    for (const path of paths) change(root, path)
    return root
  }
}

function demandObject(root: JsonNode): void {
  if (!root.isObject) throw new ShapeFailure('', 'is not an object')
}

/** Keeps only some fields; those inside of other fields keep the objects around them. */
function include(fields: readonly string[]): Change {
  // a field inside of another one is kept with it
  const paths = [...new Set(fields)]
    .filter((field) => !fields.some((other) => field.startsWith(`${other}/`)))
    .map(pathOf)
  return (root) => {
    demandObject(root)
    const kept = objectNode()
    for (const path of paths) {
      const found = root.at(path)
      if (found !== undefined) kept.set(path, found.clone())
    }
    return kept
  }
}

/** Moves or copies fields, all of them at once: two fields can change places. */
function move(fields: ReadonlyMap<string, string>, removes: boolean): Change {
  const moves = [...fields].map(([from, to]) => ({ from: pathOf(from), to: pathOf(to), place: to }))
  return (root) => {
    demandObject(root)
    const found = moves.map(({ from }) => (removes ? root.remove(from) : root.at(from)?.clone()))
    for (const [index, { to, place }] of moves.entries()) {
      const value = found[index]
      if (value === undefined) continue
      if (root.at(to) !== undefined) throw new ShapeFailure(place, 'exists already, and is not overwritten')
      put(root, to, place, value)
    }
    return root
  }
}

function put(root: JsonNode, path: readonly string[], place: string, value: JsonNode): void {
  if (!root.set(path, value)) throw new ShapeFailure(place, 'is inside of a value that is not an object')
}

function insert(fields: ReadonlyMap<string, Inserted>): Change {
  const inserts = [...fields].map(([place, given]) => ({ place, path: pathOf(place), valueOf: inserted(given) }))
  return (root, record) => {
    demandObject(root)
    for (const { place, path, valueOf } of inserts) {
      const value = valueOf(record)
      if (value !== undefined) put(root, path, place, value)
    }
    return root
  }
}

function inserted(given: Inserted): (record: SinkRecord) => JsonNode | undefined {
  if ('literal' in given) {
    const node = textNode(JSON.stringify(given.literal))
    return () => node
  }
  switch (given.kafka) {
    case 'topic':
      return ({ topic }) => textNode(JSON.stringify(topic))
    case 'partition':
      return ({ partition }) => textNode(String(partition))
    case 'offset':
      return ({ offset }) => textNode(String(offset))
    case 'timestamp':
      // Kafka has -1 for no timestamp
      return ({ timestamp }) => (Number(timestamp) < 0 ? undefined : textNode(String(Number(timestamp))))
  }
}

/** Moves the members of nested objects to the top, with joined names. Arrays and empty objects stay as they are. */
function flatten(delimiter: string): Change {
  return (root) => {
    demandObject(root)
    if (![...root.members.values()].some(hasMembers)) return root
    const flat = objectNode()
    add(flat, root, '')
    return flat
  }

  function add(flat: JsonNode, object: JsonNode, prefix: string): void {
    for (const [name, value] of object.members) {
      const joined = prefix + name
      if (hasMembers(value)) add(flat, value, joined + delimiter)
      else if (flat.members.has(joined)) throw new ShapeFailure(`/${escapePointerToken(joined)}`, 'would be two fields')
      else flat.members.set(joined, value)
    }
  }
}

function hasMembers(node: JsonNode): boolean {
  return node.isObject && node.members.size > 0
}

function hoist(name: string): Change {
  return (root) => {
    const outer = objectNode()
    outer.members.set(name, root)
    return outer
  }
}

function extract(field: string): Change {
  const path = pathOf(field)
  return (root) => {
    demandObject(root)
    const found = root.at(path)
    if (found === undefined) throw new ShapeFailure(field, 'is missing')
    return found
  }
}

/**
 * Converts fields in place. A field that is missing or null stays so. `isStrict`: a field that may be hidden from the
 * step, inside of an array or a string, is a failure.
 */
function convertFields(fields: readonly string[], convert: Convert, isStrict: boolean): Change {
  const all = fields.map((field) => ({ field, path: pathOf(field) }))
  return (root) => {
    demandObject(root)
    for (const { field, path } of all) {
      const value = root.at(path)
      if (value !== undefined && value.first !== LETTER_N) {
        const made = convert(value, field)
        if (made !== value) root.set(path, made)
      } else if (value === undefined && isStrict) demandReachable(root, path, field)
    }
    return root
  }
}

const LETTER_N = 0x6e

function demandReachable(root: JsonNode, path: readonly string[], field: string): void {
  for (let depth = 1; depth < path.length; depth++) {
    const holder = root.at(path.slice(0, depth))
    if (holder === undefined || holder.first === LETTER_N) return
    if (holder.first !== OPEN_BRACE) throw new ShapeFailure(field, 'is inside of a value that is not an object')
  }
}

/** Record that a condition tests, as the steps before have left it. */
interface Tested {
  readonly record: SinkRecord
  readonly isTombstone: boolean
  readonly value: JsonNode | undefined
}

/** Whether a record meets a condition. */
type Meets = (tested: Tested) => boolean

/** Compiles a condition. */
export function createCondition(condition: Condition): Meets {
  const test = createTest(condition)
  return condition.negate ? (tested) => !test(tested) : test
}

function createTest(condition: Condition): Meets {
  switch (condition.kind) {
    case 'topic': {
      const pattern = new TopicPattern(condition.pattern)
      return ({ record }) => pattern.matches(record.topic)
    }
    case 'header': {
      const { name } = condition
      return ({ record: { headers } }) => headers !== undefined && Object.hasOwn(headers, name)
    }
    case 'tombstone':
      return ({ isTombstone }) => isTombstone
    case 'exists': {
      const path = pathOf(condition.field)
      return ({ value }) => value?.at(path) !== undefined
    }
    case 'in': {
      const path = pathOf(condition.field)
      const values = new Set(condition.values)
      return ({ value }) => {
        const found = value?.at(path)
        return found !== undefined && values.has(scalarOf(found))
      }
    }
  }
}

function scalarOf(node: JsonNode): string | number | boolean | null {
  if (node.first === QUOTE) return textOf(node)
  // an object or an array equals no value of a condition
  return /^[{[]/.test(String.fromCharCode(node.first)) ? Number.NaN : (JSON.parse(node.json) as number | boolean | null)
}

/** Names of a JSON pointer, which the configuration has checked. */
export function pathOf(pointer: string): readonly string[] {
  return parsePointer(pointer)!
}
