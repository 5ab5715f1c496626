import { isObject } from '../service-error.ts'

/** The names of a JSON pointer, or undefined when it is not one or names the whole document. */
export function parsePointer(pointer: string): string[] | undefined {
  if (!pointer.startsWith('/') || pointer.length < 2) return undefined
  return pointer
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The target of a JSON pointer in a document. A change that is not possible returns a sentence that says why. */
export class JsonPointerTarget {
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
    if (index === undefined || index > this.#parent.length) return `the index of '${this.#shown}' lies outside the array.`
    this.#parent.splice(index, 0, value)
    return undefined
  }

  /** Sets a property or an element of an array. */
  put(value: unknown): string | undefined {
    if (Array.isArray(this.#parent)) {
      const index = this.#name === '-' ? this.#parent.length : arrayIndex(this.#name)
      if (index === undefined || index > this.#parent.length) return `the index of '${this.#shown}' lies outside the array.`
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
