const HEADERS = { 'content-type': 'application/json', 'x-ms-version': '2020-07-15', authorization: 'none' }
const DATABASE = 'db'

/** A document as it is stored, without what the service adds. */
export type StoredDocument = Readonly<Record<string, unknown>> & { readonly id: string }

export interface ContainerShape {
  readonly keyPaths: readonly string[]
  readonly ruPerSecond?: number | undefined
  readonly defaultTtl?: number | undefined
}

/** Creates the database `db` over the plain wire. */
export async function createDatabase(endpoint: string): Promise<void> {
  await post(`${endpoint}dbs`, { id: DATABASE }, {})
}

/** Creates a container in it. */
export async function createContainer(
  endpoint: string,
  name: string,
  { keyPaths, ruPerSecond = 40_000, defaultTtl }: ContainerShape
): Promise<void> {
  const partitionKey = { paths: keyPaths, kind: keyPaths.length > 1 ? 'MultiHash' : 'Hash', version: 2 }
  const definition = { id: name, partitionKey, ...(defaultTtl === undefined ? {} : { defaultTtl }) }
  await post(`${endpoint}dbs/${DATABASE}/colls`, definition, { 'x-ms-offer-throughput': String(ruPerSecond) })
}

/** All that a container holds, by id. */
export async function storedDocuments(endpoint: string, container: string): Promise<readonly StoredDocument[]> {
  const documents: StoredDocument[] = []
  let continuation: string | null = ''
  do {
    const headers: Record<string, string> = {
      ...HEADERS,
      'x-ms-max-item-count': '5000',
      ...(continuation === '' ? {} : { 'x-ms-continuation': continuation })
    }
    const answer: Response = await fetch(`${endpoint}dbs/${DATABASE}/colls/${container}/docs`, { headers })
    documents.push(...((await answer.json()) as { Documents: StoredDocument[] }).Documents.map(withoutSystem))
    continuation = answer.headers.get('x-ms-continuation')
  } while (continuation !== null && continuation !== '')
  return documents.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

const SYSTEM: ReadonlySet<string> = new Set(['_rid', '_self', '_etag', '_attachments', '_ts'])

function withoutSystem(document: StoredDocument): StoredDocument {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !SYSTEM.has(name))) as StoredDocument
}

/** The ETag that a document has now. */
export async function etagOf(endpoint: string, container: string, id: string, key: string): Promise<string> {
  const headers = { ...HEADERS, 'x-ms-documentdb-partitionkey': JSON.stringify([key]) }
  const answer = await fetch(`${endpoint}dbs/${DATABASE}/colls/${container}/docs/${id}`, { headers })
  return ((await answer.json()) as Record<string, string>)['_etag']
}

async function post(url: string, body: object, headers: Readonly<Record<string, string>>): Promise<void> {
  const answer = await fetch(url, { method: 'POST', headers: { ...HEADERS, ...headers }, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
}
