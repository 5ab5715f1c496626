import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '@keystamp/core/internal'
import type { JsonTarget } from '../decode/json/json-target.ts'

/**
 * JSON value of a record while steps change it. Its bytes must be valid JSON. An object is parsed when a step needs
 * its members, one level at a time; everything that no step touches is copied as bytes, with all digits of its numbers.
 */
export class JsonNode {
  /** JSON text that a step has written; undefined for bytes of the record. */
  readonly text: string | undefined
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
  /** Name, position of the name, and that of the next name, in the object that the value was read from. */
  name = ''
  nameStart = -1
  next = -1
  /** Object that the value was read from. */
  parent: JsonNode | undefined
  #members: Map<string, JsonNode> | undefined
  /** Whether a step has changed a member, at any level. */
  isChanged = false

  constructor(bytes: Buffer, start: number, end: number, text?: string) {
    this.bytes = bytes
    this.start = start
    this.end = end
    this.text = text
  }

  /** A copy that later steps can change without changing this value. */
  clone(): JsonNode {
    const copied = new JsonNode(this.bytes, this.start, this.end, this.text)
    if (!this.isChanged) return copied
    copied.isChanged = true
    copied.#members = new Map([...this.members].map(([name, member]) => [name, member.clone()]))
    return copied
  }

  /** First byte of the value, which tells its type. */
  get first(): number {
    return this.text === undefined ? this.bytes[this.start] : this.text.charCodeAt(0)
  }

  get isObject(): boolean {
    return this.first === OPEN_BRACE
  }

  /** Members of an object. If a name occurs more than once, only the last value, as with JSON.parse. */
  get members(): Map<string, JsonNode> {
    return (this.#members ??= readMembers(this))
  }

  /** Value at a path, which leads only through objects; undefined if there is none. */
  at(path: readonly string[]): JsonNode | undefined {
    return valueAt(this, path)
  }

  /** Removes a value, and returns it; undefined if there was none. */
  remove(path: readonly string[]): JsonNode | undefined {
    const holder = this.at(path.slice(0, -1))
    const name = path[path.length - 1]
    const found = holder?.isObject === true ? holder.members.get(name) : undefined
    if (found === undefined) return undefined
    holder!.members.delete(name)
    this.changed(path)
    return found
  }

  /**
   * Sets a value, and adds the objects around it that are missing. Returns false if a value on the way is no object.
   */
  set(path: readonly string[], value: JsonNode): boolean {
    const isSet = setIn(this, path, value)
    if (isSet) this.changed(path)
    return isSet
  }

  /** Marks this value, and all objects on the way to a member of it, as changed. */
  changed(path: readonly string[]): void {
    this.isChanged = true
    if (path.length > 1 && this.isObject) this.members.get(path[0])?.changed(path.slice(1))
  }

  /** The JSON of a value that is no object, or that no step has changed. */
  get json(): string {
    return this.text ?? this.bytes.toString('utf8', this.start, this.end)
  }
}

function valueAt(root: JsonNode, path: readonly string[]): JsonNode | undefined {
  let node: JsonNode | undefined = root
  for (const name of path) {
    if (node === undefined || !node.isObject) return undefined
    node = node.members.get(name)
  }
  return node
}

function setIn(root: JsonNode, path: readonly string[], value: JsonNode): boolean {
  let node = root
  for (let depth = 0; depth < path.length - 1; depth++) {
    if (!node.isObject) return false
    let inner = node.members.get(path[depth])
    if (inner === undefined) node.members.set(path[depth], (inner = objectNode()))
    node = inner
  }
  if (!node.isObject) return false
  node.members.set(path[path.length - 1], value)
  return true
}

/** A value that a step has written as JSON text. */
export function textNode(json: string): JsonNode {
  return new JsonNode(NOTHING, 0, 0, json)
}

/** A new empty object. */
export function objectNode(): JsonNode {
  return Object.assign(textNode('{}'), { isChanged: true })
}

const NOTHING = Buffer.alloc(0)

/** Writes a value. Members of an object that follow each other as in the record are copied together. */
export function writeNode(target: JsonTarget, node: JsonNode): void {
  if (node.isObject && node.isChanged) return writeObject(target, node)
  if (node.text === undefined) return copy(target, node.bytes, node.start, node.end)
  writeText(target, node.text)
}

function writeObject(target: JsonTarget, { members }: JsonNode): void {
  target.enter()
  target.reserve(1)
  target.put(OPEN_BRACE)
  let isFirst = true
  let run: JsonNode | undefined
  let last: JsonNode | undefined
  for (const [name, value] of members) {
    const isInPlace = value.name === name && value.nameStart >= 0 && !value.isChanged
    if (isInPlace && run !== undefined && last!.next === value.nameStart && last!.bytes === value.bytes) {
      last = value
      continue
    }
    isFirst = endRun(isFirst)
    if (isInPlace) {
      run = value
      last = value
      continue
    }
    separate(isFirst)
    isFirst = false
    const label = nameJson(name)
    copy(target, label, 0, label.length)
    writeNode(target, value)
  }
  endRun(isFirst)
  target.leave()
  target.reserve(1)
  target.put(CLOSE_BRACE)

  function endRun(first: boolean): boolean {
    if (run === undefined) return first
    separate(first)
    copy(target, run.bytes, run.nameStart, last!.end)
    run = undefined
    return false
  }

  function separate(first: boolean): void {
    if (first) return
    target.reserve(1)
    target.put(COMMA)
  }
}

function copy(target: JsonTarget, bytes: Buffer, start: number, end: number): void {
  const length = end - start
  target.reserve(length)
  const { bytes: out, at } = target
  target.at = at + length
  // a call into native code costs more than a short loop
  if (length > MAX_LOOP_BYTES) return void bytes.copy(out, at, start, end)
  for (let index = 0; index < length; index++) out[at + index] = bytes[start + index]
}

const MAX_LOOP_BYTES = 64

function writeText(target: JsonTarget, text: string): void {
  target.reserve(3 * text.length)
  target.at += target.bytes.write(text, target.at)
}

const labels = new Map<string, Buffer>()
const MAX_LABELS = 2000

/** A name with quotes and colon. Names can come from records, so only some of them are kept. */
function nameJson(name: string): Buffer {
  const label = labels.get(name)
  if (label !== undefined) return label
  const made = Buffer.from(`${JSON.stringify(name)}:`)
  if (labels.size < MAX_LABELS) labels.set(name, made)
  return made
}

function readMembers(object: JsonNode): Map<string, JsonNode> {
  const bytes = object.text === undefined ? object.bytes : Buffer.from(object.text)
  const members = new Map<string, JsonNode>()
  let at = skipSpace(bytes, (object.text === undefined ? object.start : 0) + 1)
  let last: JsonNode | undefined
  while (bytes[at] === QUOTE) {
    const nameStart = at
    at = endOfString(bytes, at)
    const name = readName(bytes, nameStart, at)
    at = skipSpace(bytes, skipSpace(bytes, at) + 1)
    const start = at
    at = endOfValue(bytes, at)
    const node = new JsonNode(bytes, start, at)
    node.name = name
    node.nameStart = nameStart
    node.parent = object
    if (last !== undefined) last.next = nameStart
    last = node
    // a step would not see the earlier value, and Cosmos DB might read it
    if (members.has(name)) markChanged(object)
    members.set(name, node)
    at = skipSpace(bytes, at)
    if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1)
  }
  return members
}

function markChanged(node: JsonNode): void {
  for (let each: JsonNode | undefined = node; each !== undefined; each = each.parent) each.isChanged = true
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at] <= 0x20) at++
  return at
}

/** Position after the closing quote of the string that begins at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; ; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) return at + 1
    if (byte === BACKSLASH) at++
  }
}

function endOfValue(bytes: Uint8Array, start: number): number {
  const first = bytes[start]
  if (first === QUOTE) return endOfString(bytes, start)
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return endOfScalar(bytes, start)
  let at = start
  for (let depth = 0; ; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at) - 1
    // braces and brackets differ from each other by one bit
    else if ((byte | 0x20) === OPEN_BRACE) depth++
    else if ((byte | 0x20) === CLOSE_BRACE && --depth === 0) return at + 1
  }
}

/** Position after a number or a word. */
function endOfScalar(bytes: Uint8Array, start: number): number {
  let at = start
  while (bytes[at] > 0x20 && bytes[at] !== COMMA && bytes[at] !== CLOSE_BRACE && bytes[at] !== CLOSE_BRACKET) at++
  return at
}

interface KnownName {
  readonly bytes: Uint8Array
  readonly name: string
}

const known: (KnownName | undefined)[] = Array.from({ length: 1024 })

/** Decodes the name between two quotes. Most records repeat the names of the ones before. */
function readName(bytes: Buffer, start: number, end: number): string {
  let hash = 0
  for (let at = start + 1; at < end - 1; at++) hash = (Math.imul(hash, 31) + bytes[at]) | 0
  const slot = hash & (known.length - 1)
  const entry = known[slot]
  if (entry !== undefined && isAt(entry.bytes, bytes, start, end)) return entry.name
  const text = bytes.toString('utf8', start + 1, end - 1)
  const name = text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text
  if (end - start <= MAX_KNOWN_BYTES) known[slot] = { bytes: Uint8Array.from(bytes.subarray(start, end)), name }
  return name
}

const MAX_KNOWN_BYTES = 256

function isAt(name: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (name.length !== end - start) return false
  for (let each = 0; each < name.length; each++) if (bytes[start + each] !== name[each]) return false
  return true
}
