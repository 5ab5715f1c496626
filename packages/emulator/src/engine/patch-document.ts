import { isObject } from '../service-error.ts'
import { SYSTEM_PROPERTIES } from '../store/document.ts'
import type { ItemState } from '../store/item.ts'
import type { DecisionContext } from './decide.ts'
import type { Refusal } from './item-operation.ts'

const MAX_PATCH_OPERATIONS = 10

/** The document after the operations of a patch, or the reason why the patch is refused. */
export function patchDocument(
  existing: ItemState,
  body: unknown,
  context: DecisionContext
): { document: unknown; patchedProperties: number } | Refusal {
  const operations = Array.isArray(body) ? body : isObject(body) ? body['operations'] : undefined
  if (!Array.isArray(operations) || operations.length === 0) return invalid('A patch must name at least one operation.')
  if (operations.length > MAX_PATCH_OPERATIONS)
    return invalid(`A patch has at most ${MAX_PATCH_OPERATIONS} operations, this one has ${operations.length}.`)
  const document: unknown = JSON.parse(existing.json())
  const condition = isObject(body) ? body['condition'] : undefined
  if (condition !== undefined && condition !== null) {
    if (typeof condition !== 'string') return invalid("The property 'condition' of the patch must be a string.")
    if (!context.meets(condition, document))
      return { status: 412, subStatus: 1110, message: 'The condition of the patch is not met.' }
  }
  for (const [index, operation] of operations.entries()) {
    const problem = patch(document, operation, context.container.keyPaths)
    if (problem !== undefined) return invalid(`Patch operation ${index}: ${problem}`)
  }
  return { document, patchedProperties: operations.length }
}

function patch(document: unknown, operation: unknown, keyPaths: readonly (readonly string[])[]): string | undefined {
  if (!isObject(operation)) return 'it must be an object.'
  const { op, path } = operation
  const apply =
    typeof op === 'string' && Object.hasOwn(PATCHES, op.toLowerCase()) ? PATCHES[op.toLowerCase()] : undefined
  if (apply === undefined)
    return `the operation ${JSON.stringify(op)} is not one of add, set, replace, remove, incr, move.`
  const names = typeof path === 'string' ? parsePointer(path) : undefined
  if (names === undefined) return `the path ${JSON.stringify(path)} must begin with '/' and name a property.`
  const problem = problemOfTarget(names, keyPaths)
  if (problem !== undefined) return problem
  return apply(document, names, operation, keyPaths)
}

function problemOfTarget(names: readonly string[], keyPaths: readonly (readonly string[])[]): string | undefined {
  const first = names[0]
  if (first === 'id') return "the property 'id' cannot be patched."
  if (SYSTEM_PROPERTIES.includes(first)) return `the system property '${first}' cannot be patched.`
  const isKey = keyPaths.some((path) => names.every((name, index) => path[index] === name || index >= path.length))
  return isKey ? `the partition key '/${names.join('/')}' cannot be patched.` : undefined
}

type Patch = (
  document: unknown,
  names: readonly string[],
  operation: Record<string, unknown>,
  keyPaths: readonly (readonly string[])[]
) => string | undefined

const PATCHES: Readonly<Record<string, Patch>> = { add, set, replace, remove, incr, move }

function add(document: unknown, names: readonly string[], operation: Record<string, unknown>): string | undefined {
  if (operation['value'] === undefined) return "the property 'value' is missing."
  return new JsonPointerTarget(document, names).insert(operation['value'])
}

function set(document: unknown, names: readonly string[], operation: Record<string, unknown>): string | undefined {
  if (operation['value'] === undefined) return "the property 'value' is missing."
  return new JsonPointerTarget(document, names).put(operation['value'])
}

function replace(document: unknown, names: readonly string[], operation: Record<string, unknown>): string | undefined {
  if (operation['value'] === undefined) return "the property 'value' is missing."
  const target = new JsonPointerTarget(document, names)
  return target.exists ? target.put(operation['value']) : `nothing exists at '/${names.join('/')}' to be replaced.`
}

function remove(document: unknown, names: readonly string[]): string | undefined {
  const target = new JsonPointerTarget(document, names)
  return target.exists ? target.remove() : `nothing exists at '/${names.join('/')}' to be removed.`
}

function incr(document: unknown, names: readonly string[], operation: Record<string, unknown>): string | undefined {
  const by = operation['value']
  if (typeof by !== 'number') return "the property 'value' must be a number."
  const target = new JsonPointerTarget(document, names)
  if (!target.exists) return target.put(by)
  const current = target.value
  if (typeof current !== 'number') return `the value at '/${names.join('/')}' is not a number.`
  const sum = current + by
  return Number.isFinite(sum) ? target.put(sum) : 'the sum is not a finite number.'
}

function move(
  document: unknown,
  names: readonly string[],
  operation: Record<string, unknown>,
  keyPaths: readonly (readonly string[])[]
): string | undefined {
  const from = typeof operation['from'] === 'string' ? parsePointer(operation['from']) : undefined
  if (from === undefined) return `the property 'from' must begin with '/' and name a property.`
  const problem = problemOfTarget(from, keyPaths)
  if (problem !== undefined) return problem
  if (from.length <= names.length && from.every((name, index) => names[index] === name)) {
    return from.length === names.length ? undefined : "'path' must not lie under 'from'."
  }
  const source = new JsonPointerTarget(document, from)
  if (!source.exists) return `nothing exists at '/${from.join('/')}' to be moved.`
  const value = source.value
  return source.remove() ?? new JsonPointerTarget(document, names).insert(value)
}

function invalid(message: string): Refusal {
  return { status: 400, subStatus: 0, message }
}

/** The names of a JSON pointer, or undefined when it is not one or names the whole document. */
function parsePointer(pointer: string): string[] | undefined {
  if (!pointer.startsWith('/') || pointer.length < 2) return undefined
  return pointer
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The target of a JSON pointer in a document. A method that cannot change the document returns the reason. */
class JsonPointerTarget {
  readonly #parent: unknown
  readonly #name: string
  readonly #shown: string

  constructor(document: unknown, names: readonly string[]) {
    this.#name = names.at(-1)!
    this.#shown = `/${names.join('/')}`
    this.#parent = names.slice(0, -1).reduce<unknown>(childOf, document)
  }

  get exists(): boolean {
    return childOf(this.#parent, this.#name) !== undefined
  }

  get value(): unknown {
    return childOf(this.#parent, this.#name)
  }

  /** Sets a property, or inserts into an array before an index. */
  insert(value: unknown): string | undefined {
    if (!Array.isArray(this.#parent)) return this.put(value)
    const index = this.#name === '-' ? this.#parent.length : arrayIndex(this.#name)
    if (index === undefined || index > this.#parent.length)
      return `the index of '${this.#shown}' lies outside the array.`
    this.#parent.splice(index, 0, value)
    return undefined
  }

  /** Sets a property or an element of an array. */
  put(value: unknown): string | undefined {
    if (Array.isArray(this.#parent)) {
      const index = this.#name === '-' ? this.#parent.length : arrayIndex(this.#name)
      if (index === undefined || index > this.#parent.length)
        return `the index of '${this.#shown}' lies outside the array.`
      this.#parent[index] = value
      return undefined
    }
    if (!isObject(this.#parent)) return `the parent of '${this.#shown}' does not exist.`
    // a plain assignment of __proto__ would change the prototype
    Object.defineProperty(this.#parent, this.#name, { value, writable: true, enumerable: true, configurable: true })
    return undefined
  }

  remove(): string | undefined {
    if (Array.isArray(this.#parent)) this.#parent.splice(arrayIndex(this.#name)!, 1)
    else delete (this.#parent as Record<string, unknown>)[this.#name]
    return undefined
  }
}

function childOf(parent: unknown, name: string): unknown {
  if (Array.isArray(parent)) {
    const index = arrayIndex(name)
    return index === undefined ? undefined : (parent[index] as unknown)
  }
  return isObject(parent) && Object.hasOwn(parent, name) ? parent[name] : undefined
}

function arrayIndex(name: string): number | undefined {
  return /^(?:0|[1-9]\d{0,8})$/.test(name) ? Number(name) : undefined
}
