import { checkParts, type FieldCondition, KeystampError, type KeyValue, type PartitionKey } from '@keystamp/core'
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
      if (value === undefined) break
      if (!isKeyValue(value)) throw notAKey(members)
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
    filter: (parts, options) => {
      checkParts(parts, levels)
      if (options?.between !== undefined) throw new KeystampError('OPTION_INVALID', NO_BUCKETS)
      const given = [...levels, ['id']].flatMap((members) => {
        const value = valueAt(parts, members)
        if (value !== undefined && !isKeyValue(value)) throw notAKey(members)
        return value === undefined ? [] : { members, value }
      })
      const known = keyOf(parts).values.length
      return {
        matches: (document) => given.every(({ members, value }) => valueAt(document, members) === value),
        fields: given.map(({ members }) => pointerOf(members)),
        conditions: given
          .filter(({ members }) => levels.indexOf(members) >= known)
          .map(({ members, value }): FieldCondition => ({ kind: 'oneOf', field: members, values: [value] })),
        key: undefined,
        id: 'id' in parts && typeof parts.id === 'string' ? parts.id : undefined
      }
    },
    idOf: (parts) => ('id' in parts && typeof parts.id === 'string' ? parts.id : undefined)
  }
}

const NO_BUCKETS = '`between` needs the time bucket of a plan; without one a condition on a field goes into `where`.'

function notAKey(members: readonly string[]): KeystampError {
  return new KeystampError('OPTION_INVALID', `The part ${pointerOf(members)} must be text, a finite number, a boolean or null.`)
}

function pointerOf(members: readonly string[]): string {
  return members.map((member) => `/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function isKeyValue(value: unknown): value is KeyValue {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
}

function missing(code: 'PARTS_MISSING' | 'KEYS_UNBOUNDED', path: string): KeystampError {
  return new KeystampError(code, `The container is split by ${path}, and the parts hold no text, number or boolean there.`)
}
