import type { StoredDocument } from './start-world.ts'

const HEADERS = { 'content-type': 'application/json', 'x-ms-version': '2020-07-15', authorization: 'none' }
const COLLECTIONS = 'dbs/db/colls'

export interface ContainerShape {
  readonly keyPaths: readonly string[]
  readonly ruPerSecond: number | undefined
  readonly defaultTtl: number | undefined
}

/** Creates the database `db` with the container `things`, over the plain wire. */
export async function createContainer(endpoint: string, { keyPaths, ruPerSecond = 40_000, defaultTtl }: ContainerShape): Promise<void> {
  await post(`${endpoint}dbs`, { id: 'db' }, {})
  const partitionKey = { paths: keyPaths, kind: keyPaths.length > 1 ? 'MultiHash' : 'Hash', version: 2 }
  const definition = { id: 'things', partitionKey, ...(defaultTtl === undefined ? {} : { defaultTtl }) }
  await post(`${endpoint}${COLLECTIONS}`, definition, { 'x-ms-offer-throughput': String(ruPerSecond) })
}

/** All that the container holds, page by page. */
export async function storedDocuments(endpoint: string): Promise<readonly StoredDocument[]> {
  const documents: StoredDocument[] = []
  let continuation: string | null = ''
  do {
    const headers: Record<string, string> = {
      ...HEADERS,
      'x-ms-max-item-count': '5000',
      ...(continuation === '' ? {} : { 'x-ms-continuation': continuation })
    }
    const answer: Response = await fetch(`${endpoint}${COLLECTIONS}/things/docs`, { headers })
    documents.push(...((await answer.json()) as { Documents: StoredDocument[] }).Documents)
    continuation = answer.headers.get('x-ms-continuation')
  } while (continuation !== null && continuation !== '')
  return documents
}

async function post(url: string, body: object, headers: Readonly<Record<string, string>>): Promise<void> {
  const answer = await fetch(url, { method: 'POST', headers: { ...HEADERS, ...headers }, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
}
