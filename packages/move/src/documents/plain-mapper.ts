import type { KeyValue } from '@keystamp/core'
import { MemberScan } from '../json/member-scan.ts'
import { REPEATED, SYSTEM_MEMBERS } from './copy-layout.ts'
import type { DocumentMapper, MappedDocument, Rejected } from './document-mapper.ts'
import type { Identity } from './identity.ts'
import type { StoredDocument } from './stored-document.ts'

/**
 * Creates the part of a mapper that copies documents as they are, without system properties. `targetKey` reads the key
 * of the target from a document.
 */
export function createPlainMapper(
  targetKey: (document: StoredDocument) => Identity['key']
): Pick<DocumentMapper, 'map'> {
  const scan = new MemberScan(SYSTEM_MEMBERS.map((name) => [name]))
  const system = [...SYSTEM_MEMBERS.keys()]
  return {
    map: (document): MappedDocument | Rejected => {
      const { bytes, start, end, identity } = document
      const key = targetKey(document)
      if (!scan.scan(bytes, start, end)) return REPEATED
      const splices = scan.cutsOf(system)
      // undefined: the document does not have the property
      const values = key as readonly KeyValue[]
      const { id } = identity
      return {
        kind: 'mapped',
        identity: { key, id },
        stamped: { ok: true, bytes, start, end, splices, values, id, version: 0 }
      }
    }
  }
}
