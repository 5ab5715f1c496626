import { KeystampError, type KeyValue, type PartitionKey } from '@keystamp/core'
import { membersOfPath } from '../account/key-path.ts'
import type { KeySource } from './key-source.ts'
import { valueAt } from './value-at.ts'

/** Without a plan the key is what stands in the parts at the container's own paths. */
export function createContainerKeys(paths: readonly string[]): KeySource {
  const levels = paths.map(membersOfPath)

  // a level that is not known ends the key: what is above it can be asked for too
  function keyOf(parts: object): PartitionKey {
    const values: KeyValue[] = []
    for (const members of levels) {
      const value = valueAt(parts, members)
      if (!isKeyValue(value)) break
      values.push(value)
    }
    return { key: levels.length === 1 ? values[0] : values, values, version: 0 }
  }

  return {
    exact: (parts) => {
      const key = keyOf(parts)
      if (key.values.length < levels.length) throw missing('PARTS_MISSING', paths[key.values.length])
      return [key]
    },
    every: (parts) => {
      const key = keyOf(parts)
      if (key.values.length === 0) throw missing('KEYS_UNBOUNDED', paths[0])
      return [key]
    },
    idOf: (parts) => ('id' in parts && typeof parts.id === 'string' ? parts.id : undefined)
  }
}

function isKeyValue(value: unknown): value is KeyValue {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
}

function missing(code: 'PARTS_MISSING' | 'KEYS_UNBOUNDED', path: string): KeystampError {
  return new KeystampError(code, `The container is split by ${path}, and the parts hold no text, number or boolean there.`)
}
