import { MemberReader } from '../json/member-reader.ts'
import type { Container } from '../store/container.ts'
import { documentText, type StoredItem } from '../store/item.ts'
import { SYSTEM_PROPERTIES } from '../store/document.ts'

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
  const reader = new MemberReader(others)
  return (item) => {
    const record: Record<string, unknown> = {}
    if (hasId) record['id'] = item.id
    if (hasTimestamp) record['_ts'] = item.timestamp
    if (others.length > 0) reader.read(item.slab.bytes, item.offset, item.isAscii, record)
    return record
  }
}

// each property of a document is compared with each of the names
const MAX_NAMES = 24

const NOTHING: Record<string, unknown> = Object.freeze({})

function isOnlyInText(name: string): boolean {
  return name !== '_ts' && SYSTEM_PROPERTIES.includes(name)
}
