import { type IncomingHttpHeaders, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { text } from 'node:stream/consumers'

const HEADERS = { 'content-type': 'application/json', 'x-ms-version': '2020-07-15', authorization: 'none' }
const DATABASE = 'db'

/** A stored document, without the system properties of the service. */
export type StoredDocument = Readonly<Record<string, unknown>> & { readonly id: string }

export interface ContainerShape {
  readonly keyPaths: readonly string[]
  readonly ruPerSecond?: number | undefined
  readonly defaultTtl?: number | undefined
}

/** Address of an account; with the certificate to trust if it has TLS. */
export type AccountAddress = string | { readonly endpoint: string; readonly certificate: string | undefined }

/** Creates the database `db` by a plain HTTP request. */
export async function createDatabase(account: AccountAddress): Promise<void> {
  await post(account, 'dbs', { id: DATABASE }, {})
}

/** Creates a container in the database `db`. */
export async function createContainer(
  account: AccountAddress,
  name: string,
  { keyPaths, ruPerSecond = 40_000, defaultTtl }: ContainerShape
): Promise<void> {
  const partitionKey = { paths: keyPaths, kind: keyPaths.length > 1 ? 'MultiHash' : 'Hash', version: 2 }
  const definition = { id: name, partitionKey, ...(defaultTtl === undefined ? {} : { defaultTtl }) }
  await post(account, `dbs/${DATABASE}/colls`, definition, { 'x-ms-offer-throughput': String(ruPerSecond) })
}

/** Returns all documents of a container, sorted by id. */
export async function storedDocuments(account: AccountAddress, container: string): Promise<readonly StoredDocument[]> {
  const documents: StoredDocument[] = []
  let continuation: string | undefined = ''
  do {
    const headers: Record<string, string> = {
      ...HEADERS,
      'x-ms-max-item-count': '5000',
      ...(continuation === '' ? {} : { 'x-ms-continuation': continuation })
    }
    const answer: PlainAnswer = await ask(account, `dbs/${DATABASE}/colls/${container}/docs`, { headers })
    documents.push(...(JSON.parse(answer.body) as { Documents: StoredDocument[] }).Documents.map(withoutSystem))
    continuation = answer.headers['x-ms-continuation'] as string | undefined
  } while (continuation !== undefined && continuation !== '')
  return documents.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

const SYSTEM: ReadonlySet<string> = new Set(['_rid', '_self', '_etag', '_attachments', '_ts'])

function withoutSystem(document: StoredDocument): StoredDocument {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !SYSTEM.has(name))) as StoredDocument
}

/** Current ETag of a document. */
export async function etagOf(account: AccountAddress, container: string, id: string, key: string): Promise<string> {
  const headers = { ...HEADERS, 'x-ms-documentdb-partitionkey': JSON.stringify([key]) }
  const answer = await ask(account, `dbs/${DATABASE}/colls/${container}/docs/${id}`, { headers })
  return (JSON.parse(answer.body) as Record<string, string>)['_etag']
}

async function post(
  account: AccountAddress,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>>
): Promise<void> {
  const answer = await ask(account, path, {
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body: JSON.stringify(body)
  })
  if (answer.status >= 400) throw new Error(`${path} answered ${answer.status}: ${answer.body}`)
}

interface PlainAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Sends a request. `fetch` has no option to trust a certificate. */
function ask(
  account: AccountAddress,
  path: string,
  {
    method = 'GET',
    headers,
    body
  }: { readonly method?: string; readonly headers: Readonly<Record<string, string>>; readonly body?: string }
): Promise<PlainAnswer> {
  const { endpoint, certificate: ca } =
    typeof account === 'string' ? { endpoint: account, certificate: undefined } : account
  const request = ca === undefined ? requestHttp : requestHttps
  return new Promise((resolve, reject) => {
    const call = request(endpoint + path, { method, headers, ca })
    call.once('error', reject)
    call.once('response', (response) => {
      text(response).then(
        (answered) => resolve({ status: response.statusCode!, headers: response.headers, body: answered }),
        reject
      )
    })
    call.end(body)
  })
}
