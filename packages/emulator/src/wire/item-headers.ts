import type { PhysicalRange } from '../partition/physical-range.ts'
import type { Container } from '../store/container.ts'

/** The headers of an answer about items of one range. */
export function itemHeaders(container: Container, range: PhysicalRange): string[] {
  return [
    'x-ms-session-token',
    range.sessionToken,
    'x-ms-documentdb-partitionkeyrangeid',
    range.id,
    'lsn',
    String(range.lsn),
    'x-ms-alt-content-path',
    contentPath(container),
    'x-ms-content-path',
    container.rid
  ]
}

const paths: WeakMap<Container, string> = new WeakMap()

function contentPath(container: Container): string {
  let path = paths.get(container)
  if (path === undefined) {
    path = `dbs/${encodeURI(container.database)}/colls/${encodeURI(container.id)}`
    paths.set(container, path)
  }
  return path
}
