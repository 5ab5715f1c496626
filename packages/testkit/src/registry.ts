import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Minimal schema registry for tests and the demo, with the requests of a decoder and a producer. */
export interface RegistryHandle {
  readonly url: string
  /** Turns on or off that every request is answered with 503. */
  readonly down: (isDown: boolean) => void
  /** Number of requests, refused ones included. */
  readonly requests: () => number
  /** Registers a schema without a request, and returns its id. */
  readonly register: (subject: string, schema: string, schemaType?: SchemaType) => number
  readonly stop: () => Promise<void>
}

/** Type of a schema. */
export type SchemaType = 'AVRO' | 'JSON' | 'PROTOBUF'

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** Starts a registry that keeps its schemas in memory. */
export async function startRegistry(): Promise<RegistryHandle> {
  const schemas: { readonly schema: string; readonly schemaType: SchemaType }[] = []
  const subjects = new Map<string, number[]>()
  let isDown = false
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    readBody(request).then(
      (body) => send(response, isDown ? refuse(503, 50_003, 'The registry is down.') : answer(request, body)),
      (error: Error) => send(response, refuse(400, 400, error.message))
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    down: (now) => void (isDown = now),
    requests: () => requests,
    register,
    stop
  }

  function answer({ method, url = '/' }: IncomingMessage, body: string): Answer {
    const [first, name = '', third, fourth] = new URL(url, 'http://registry').pathname
      .slice(1)
      .split('/')
      .map(decodeURIComponent)
    if (first === 'subjects' && name === '') return { status: 200, body: [...subjects.keys()] }
    if (first === 'subjects' && third === 'versions')
      return method === 'POST' ? post(name, body) : readVersion(name, fourth)
    if (first === 'schemas' && name === 'ids' && third !== undefined) return readSchema(Number(third))
    return refuse(404, 404, 'HTTP 404 Not Found')
  }

  function post(subject: string, body: string): Answer {
    const { schema, schemaType = 'AVRO', references = [] } = JSON.parse(body) as Posted
    if (references.length > 0) return refuse(422, 42_201, 'References are not supported here.')
    return { status: 200, body: { id: register(subject, schema, schemaType) } }
  }

  function register(subject: string, schema: string, schemaType: SchemaType = 'AVRO'): number {
    const known = schemas.findIndex((each) => each.schema === schema && each.schemaType === schemaType)
    const id = known < 0 ? schemas.push({ schema, schemaType }) : known + 1
    const versions = subjects.get(subject) ?? []
    if (!versions.includes(id)) subjects.set(subject, [...versions, id])
    return id
  }

  function readSchema(id: number): Answer {
    const found = schemas[id - 1]
    return found === undefined ? refuse(404, 40_403, `Schema ${id} not found`) : { status: 200, body: withType(found) }
  }

  function readVersion(subject: string, version = ''): Answer {
    const versions = subjects.get(subject) ?? []
    const id = version === 'latest' ? versions.at(-1) : versions[Number(version) - 1]
    if (id === undefined) return refuse(404, 40_401, `Subject '${subject}' not found`)
    return { status: 200, body: { subject, id, version: versions.indexOf(id) + 1, ...withType(schemas[id - 1]) } }
  }

  async function stop(): Promise<void> {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

interface Posted {
  readonly schema: string
  readonly schemaType?: SchemaType
  readonly references?: readonly unknown[]
}

/** Registries return the type of a schema only if it is not Avro. */
function withType(found: { readonly schema: string; readonly schemaType: SchemaType } | undefined): object {
  return found?.schemaType === 'AVRO' ? { schema: found.schema } : { ...found }
}

function refuse(status: number, code: number, message: string): Answer {
  return { status, body: { error_code: code, message } }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/vnd.schemaregistry.v1+json' })
  response.end(JSON.stringify(body))
}
