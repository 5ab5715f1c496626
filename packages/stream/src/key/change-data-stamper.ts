import { joinedLength, joinInto, type Splice, type StampedBytes } from '@keystamp/core'
import { createChangeReader, SPACE } from '@keystamp/core/internal'
import type { KeyStamper, Refusal } from './key-stamper.ts'

/**
 * Creates a stamper for change data of Debezium. It stamps the rows inside of the envelopes, and nothing else: the row
 * before a change is needed to delete a document. Tombstones, and changes without rows, stay as they are.
 */
export function changeDataStamper(rows: KeyStamper): KeyStamper {
  const changes = createChangeReader({
    truncate: 'ignore',
    message: 'ignore',
    unavailable: 'store',
    needsBefore: true
  })
  return {
    stampRecord: rows.stampRecord,
    stampBytes,
    stampElement: (bytes, start, limit) => {
      // the end of the element does not depend on the key
      const element = rows.stampElement(bytes, start, limit)
      return element?.end === undefined ? element : { result: stampBytes(bytes, start, element.end), end: element.end }
    },
    written: rows.written.flatMap((pointer) => [`/before${pointer}`, `/after${pointer}`])
  }

  function stampBytes(bytes: Buffer, start: number, end: number): StampedBytes | Refusal {
    const change = changes.read(bytes, start, end)
    if (!change.ok) return change
    if (change.kind === 'ignore') return envelope(bytes, start, end, [])
    // an update may have only a part of the row before it, but a delete has nothing else
    const before = change.before && stampRow(bytes, change.before, 'before')
    if (change.kind === 'delete') return before!.ok ? envelope(bytes, start, end, before!.splices) : before!
    const after = stampRow(bytes, change.after!, 'after')
    if (!after.ok) return after
    const splices = before?.ok === true ? [...before.splices, ...after.splices] : after.splices
    return envelope(bytes, start, end, splices)
  }

  function stampRow(
    bytes: Buffer,
    row: Uint8Array,
    name: 'before' | 'after'
  ): { readonly ok: true; readonly splices: readonly Splice[] } | Refusal {
    const { start, end } = changes.placeOf(name)
    const isPart = row.buffer === bytes.buffer
    const own = isPart ? bytes : Buffer.from(row.buffer, row.byteOffset, row.length)
    const stamped = isPart ? rows.stampBytes(own, start, end) : rows.stampBytes(own, 0, own.length)
    if (!stamped.ok) return { ...stamped, path: `/${name}${stamped.path}` }
    if (isPart) return stamped
    return { ok: true, splices: [{ at: start, end, before: JSON.stringify(joined(stamped)), value: undefined }] }
  }
}

function joined(stamped: StampedBytes): string {
  const bytes = Buffer.allocUnsafe(joinedLength(stamped))
  return bytes.toString('utf8', 0, joinInto(stamped, bytes, 0))
}

/** The whole envelope with the changes in its rows. */
function envelope(bytes: Buffer, start: number, end: number, splices: readonly Splice[]): StampedBytes {
  let from = start
  let to = end
  while (bytes[from] <= SPACE) from++
  while (bytes[to - 1] <= SPACE) to--
  const inOrder = splices.toSorted((a, b) => a.at - b.at)
  return { ok: true, bytes, start: from, end: to, splices: inOrder, values: [], id: undefined, version: 0 }
}
