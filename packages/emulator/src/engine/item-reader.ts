import { MemberReader } from '../json/member-reader.ts'
import type { Container } from '../store/container.ts'
import { documentText, type StoredItem } from '../store/item.ts'
import { SYSTEM_PROPERTIES } from '../store/document.ts'
import type { LogicalPartition } from '../store/logical-partition.ts'

/** Reads a document, or some of its properties. */
export type ReadItem = (item: StoredItem) => Record<string, unknown>

/**
 * Creates a function that reads the properties with these names, or whole documents if `names` is undefined. An object
 * with some properties has all names; absent ones are undefined.
 */
export function createItemReader(container: Container, names: readonly string[] | undefined): ReadItem {
  if (names === undefined || names.length > MAX_NAMES || names.some(isOnlyInText)) {
    return (item) => JSON.parse(documentText(container, item)) as Record<string, unknown>
  }
  if (names.length === 0) return () => NOTHING
  const hasId = names.includes('id')
  const hasTimestamp = names.includes('_ts')
  const others = names.filter((name) => name !== 'id' && name !== '_ts')
  const keyName = nameOfKey(container)
  if (keyName !== undefined && others.includes(keyName)) return withKey(names, keyName)
  return readMembers(others, hasId, hasTimestamp)
}

function readMembers(others: readonly string[], hasId: boolean, hasTimestamp: boolean): ReadItem {
  const reader = new MemberReader(others)
  return (item) => {
    const record: Record<string, unknown> = {}
    if (hasId) record['id'] = item.id
    if (hasTimestamp) record['_ts'] = item.timestamp
    if (others.length > 0) reader.read(item.slab.bytes, item.offset, item.isAscii, record)
    return record
  }
}

/** The property of the partition key, if the key has one level and is a property of the document itself. */
function nameOfKey({ keyPaths }: Container): string | undefined {
  const [path, ...others] = keyPaths
  return others.length === 0 && path?.length === 1 && path[0] !== 'id' ? path[0] : undefined
}

// with fewer items, reading the key of each item takes less time
const MIN_SHARED = 8

/** Takes the value of the key from the logical partition, when many items of a partition follow each other. */
function withKey(names: readonly string[], keyName: string): ReadItem {
  const [hasId, hasTimestamp] = [names.includes('id'), names.includes('_ts')]
  const others = names.filter((name) => name !== 'id' && name !== '_ts')
  const readAll = readMembers(others, hasId, hasTimestamp)
  const readOthers = readMembers(
    others.filter((name) => name !== keyName),
    hasId,
    hasTimestamp
  )
  let last: LogicalPartition | undefined
  let value: unknown
  return (item) => {
    const { partition } = item
    // an object or an array at the key path has the same key as no property
    if (partition.size < MIN_SHARED || partition.keyText === ABSENT) return readAll(item)
    if (partition !== last) {
      last = partition
      // -0 is a key of its own, but JSON stores it as 0
      value = partition.keyText === '-0' ? 0 : JSON.parse(partition.keyText)
    }
    const record = readOthers(item)
    record[keyName] = value
    return record
  }
}

const ABSENT = '{}'

// each property of a document is compared with each of the names
const MAX_NAMES = 24

const NOTHING: Record<string, unknown> = Object.freeze({})

function isOnlyInText(name: string): boolean {
  return name !== '_ts' && SYSTEM_PROPERTIES.includes(name)
}
