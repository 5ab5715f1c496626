import type { ChangesAnswer, MoveContainer } from '../containers/move-container.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import { isMarker, mayHaveMarker } from './marker.ts'

/** A container in which the markers of a move cannot be seen; with `isLeftOut`, other documents. */
export function withoutMarkers<Container extends MoveContainer>(
  container: Container,
  {
    isLeftOut = isMarker,
    onMarker = async () => {}
  }: {
    readonly isLeftOut?: (document: StoredDocument) => boolean
    readonly onMarker?: (marker: StoredDocument) => Promise<void>
  } = {}
): Container {
  return {
    ...container,
    readChanges: async (request) => {
      const answer = await container.readChanges(request)
      if (!hasMarkers(answer)) return answer
      const markers = new Set(answer.documents.filter((document) => isLeftOut(document)))
      await Promise.all(Array.from(markers, (marker) => onMarker(marker)))
      return { ...answer, documents: answer.documents.filter((document) => !markers.has(document)) }
    },
    read: async (identity, options) => {
      const document = await container.read(identity, options)
      return document !== undefined && isLeftOut(document) ? undefined : document
    }
  }
}

/**
 * The container in charge, for the copy. A marker in it was written by a request that arrived after the step that put it
 * in charge: it is deleted, unless it has changed since.
 */
export function removingMarkers(container: MoveContainer): MoveContainer {
  return withoutMarkers(container, {
    onMarker: async ({ identity, etag }) => {
      await container.write({ kind: 'delete', identity, ifMatch: etag })
    }
  })
}

/** One search for all documents of a page, which are in the same bytes. */
function hasMarkers(answer: ChangesAnswer): answer is Extract<ChangesAnswer, { readonly kind: 'page' }> {
  if (answer.kind !== 'page') return false
  const { documents } = answer
  let first = 0
  for (let next = 1; next <= documents.length; next++) {
    if (next < documents.length && documents[next].bytes === documents[first].bytes) continue
    const [{ bytes, start }, { end }] = [documents[first], documents[next - 1]]
    if (mayHaveMarker(bytes, start, Math.max(start, end))) return true
    first = next
  }
  return false
}
