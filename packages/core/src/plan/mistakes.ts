import { nearestName } from '../text/option-names.ts'

export interface Mistake {
  /** JSON pointer into the plan. */
  readonly path: string
  readonly message: string
}

/**
 * Collects all mistakes of a plan, so that one error names them all. For an invalid value, each check adds a mistake
 * and returns undefined.
 */
export class Mistakes {
  readonly found: Mistake[] = []

  add(path: string, message: string): undefined {
    this.found.push({ path, message })
    return undefined
  }

  /** Checks that a value is an object, and its properties against the known names. */
  object(value: unknown, path: string, known: readonly string[]): Record<string, unknown> | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return this.add(path, `must be an object, not ${kindOf(value)}`)
    for (const name of Object.keys(value)) {
      if (known.includes(name)) continue
      const near = nearestName(name, known)
      this.add(
        `${path}/${name}`,
        near === undefined
          ? `is not known here; known are ${known.join(', ')}`
          : `is not known; did you mean "${near}"?`
      )
    }
    return value as Record<string, unknown>
  }

  list(value: unknown, path: string, min: number, max: number): readonly unknown[] | undefined {
    if (!Array.isArray(value)) return this.add(path, `must be a list, not ${kindOf(value)}`)
    if (value.length < min || value.length > max)
      return this.add(path, `must have ${min} to ${max} entries, not ${value.length}`)
    return value as unknown[]
  }

  oneOf<T extends string | number>(value: unknown, path: string, allowed: readonly T[], fallback: T): T {
    if (value === undefined) return fallback
    if (allowed.includes(value as T)) return value as T
    this.add(path, `must be ${allowed.map((each) => JSON.stringify(each)).join(' or ')}, not ${display(value)}`)
    return fallback
  }

  /** Checks a boolean; a missing value is `false`. */
  boolean(value: unknown, path: string): boolean {
    if (value === undefined || typeof value === 'boolean') return value === true
    this.add(path, `must be true or false, not ${display(value)}`)
    return false
  }

  string(value: unknown, path: string): string | undefined {
    if (typeof value !== 'string') return this.add(path, `must be a string, not ${kindOf(value)}`)
    if (!value.isWellFormed()) return this.add(path, 'contains half of a surrogate pair')
    return value
  }

  integer(value: unknown, path: string, min: number, max: number): number | undefined {
    if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return value as number
    return this.add(path, `must be a whole number from ${min} to ${max}, not ${display(value)}`)
  }
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`.replace('a object', 'an object')
}

function display(value: unknown): string {
  return typeof value === 'object' || value === undefined ? kindOf(value) : JSON.stringify(value)
}
