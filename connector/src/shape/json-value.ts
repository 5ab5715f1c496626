import type { StampedBytes } from '@keystamp/core'

/** The value at a JSON pointer of the record as it came in; undefined where there is none. */
export function valueAt({ members, bytes }: StampedBytes, pointer: readonly string[]): unknown {
  const [name, ...inside] = pointer
  const member = members.find(name)
  if (member < 0) return undefined
  const value: unknown = JSON.parse(textOf(bytes, members.valueStart(member), members.valueEnd(member)))
  return inside.reduce((holder, step) => stepInto(holder, step), value)
}

/** The members of the record as it came in, of repeated ones the last. */
export function membersOf({ bytes, start, end }: StampedBytes): object {
  return JSON.parse(textOf(bytes, start, end)) as object
}

/** The names that a JSON pointer is made of. */
export function namesOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** One step of a JSON pointer. */
export function pointerStep(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function stepInto(holder: unknown, step: string): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, step)) return undefined
  return (holder as Record<string, unknown>)[step]
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()
}
