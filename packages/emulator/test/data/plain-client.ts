/** A request without a signature, and the parts of its answer that tests compare. */
export interface PlainAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: any // oxlint-disable-line typescript/no-explicit-any -- tests read any JSON
}

/** Sends a request to an emulator with the option `auth: 'off'`. */
export async function send(
  endpoint: string,
  method: string,
  path: string,
  asked: { key?: readonly unknown[]; body?: unknown; headers?: Record<string, string> } = {}
): Promise<PlainAnswer> {
  const headers = {
    ...(asked.key === undefined ? {} : { 'x-ms-documentdb-partitionkey': JSON.stringify(asked.key) }),
    ...(asked.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...asked.headers
  }
  const body = typeof asked.body === 'string' ? asked.body : JSON.stringify(asked.body)
  const response = await fetch(endpoint.replace(/\/$/, '') + path, {
    method,
    headers,
    ...(asked.body === undefined ? {} : { body })
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text.startsWith('{') || text.startsWith('[') ? (JSON.parse(text) as unknown) : undefined
  }
}

/** Everything that clients can read: databases, offers, containers, ranges, items, and the change feed of each range. */
export async function readEverything(endpoint: string): Promise<Record<string, unknown>> {
  const everything: Record<string, unknown> = {}
  const keep = async (path: string, headers: Record<string, string> = {}): Promise<PlainAnswer> => {
    const answer = await send(endpoint, 'GET', path, { headers })
    everything[`${path} ${JSON.stringify(headers)}`] = {
      status: answer.status,
      body: answer.body,
      etag: answer.headers.get('etag'),
      session: answer.headers.get('x-ms-session-token'),
      usage: answer.headers.get('x-ms-resource-usage')
    }
    return answer
  }
  await keep('/offers')
  const { body } = await keep('/dbs')
  for (const { id: database } of body.Databases) {
    const containers = await keep(`/dbs/${database}/colls`)
    for (const { id } of containers.body.DocumentCollections) {
      const path = `/dbs/${database}/colls/${id}`
      await keep(path)
      await keep(`${path}/docs`, { 'x-ms-max-item-count': '-1' })
      await keep(`${path}/docs`, FEED)
      const ranges = await keep(`${path}/pkranges`)
      for (const range of ranges.body.PartitionKeyRanges)
        await keep(`${path}/docs`, { ...FEED, 'x-ms-documentdb-partitionkeyrangeid': range.id })
    }
  }
  return everything
}

const FEED = { 'a-im': 'Incremental feed', 'x-ms-max-item-count': '-1' }
