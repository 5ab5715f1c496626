import { readFileSync } from 'node:fs'
import type { KeyDefinition } from '../../src/hash/partition-hash.ts'
import type { KeyComponent } from '../../src/hash/component-bytes.ts'

interface EpkVectors {
  readonly hashes: readonly {
    readonly values: readonly unknown[]
    readonly definition: KeyDefinition
    readonly epk: string
  }[]
  readonly ranges: readonly {
    readonly definition: KeyDefinition
    readonly count: number
    readonly boundaries: readonly string[]
  }[]
}

export const epkVectors: EpkVectors = JSON.parse(
  readFileSync(new URL('../../../../docs/vectors/epk.json', import.meta.url), 'utf8')
)

/**
 * Converts values of the file to key components. In the file, an empty object stands for a component that is missing in
 * the document.
 */
export function componentsOf(values: readonly unknown[]): KeyComponent[] {
  return values.map((value) => (isKeyComponent(value) ? value : undefined))
}

function isKeyComponent(value: unknown): value is KeyComponent {
  return typeof value !== 'object' || value === null
}
