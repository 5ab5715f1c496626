/** Documents in one buffer, as a page of a change feed has them. */
export interface StoredPage {
  readonly texts: readonly string[]
  readonly bytes: Buffer
  /** Start and end of each document. */
  readonly places: readonly (readonly [number, number])[]
}

/** Puts documents into a page, each with the properties that Cosmos DB adds. */
export function storedPage(documents: readonly object[]): StoredPage {
  const texts = documents.map((document) => JSON.stringify({ ...document, ...SYSTEM }))
  let end = -1
  const places = texts.map((text) => {
    const start = end + 1
    end = start + Buffer.byteLength(text)
    return [start, end] as const
  })
  return { texts, bytes: Buffer.from(texts.join(',')), places }
}

const SYSTEM = {
  _rid: 'Sl8fALN4sw4',
  _self: 'dbs/Sl8fAA==/colls/Sl8fALN4sw4=/docs/Sl8fALN4sw4==/',
  _etag: '"00000000-0000-0000-0000-000000000000"',
  _attachments: 'attachments/',
  _ts: 1_700_000_000
}

/** Loads modules of the package that it does not export, but whose cost decides the cost of a move. */
export async function loadMoveParts<T>(files: readonly string[]): Promise<T> {
  const parts = await Promise.all(
    files.map((file): Promise<Partial<T>> => import(new URL(file, import.meta.resolve('@keystamp/move')).href))
  )
  return Object.assign({}, ...parts)
}
