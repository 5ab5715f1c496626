import { urlToHttpOptions } from 'node:url'
import type { CompleteAccountOptions } from './account-options.ts'
import { createHttpClient, type HttpAnswer, stringIn } from './http-client.ts'
import type { Signer } from './signer.ts'
import { errorOfAnswer, errorWithoutAnswer } from './cosmos-error.ts'

/** A read of metadata. `what` is a part of the error message. */
export interface DirectRead {
  readonly what: string
  readonly signal: AbortSignal
}

/** Reads of metadata without the SDK, because importing the SDK takes longer than all of these requests. */
export interface DirectReads {
  /** The database account, as JSON. */
  readonly account: (read: DirectRead) => Promise<unknown>
  /** The container, as JSON. */
  readonly container: (read: DirectRead) => Promise<unknown>
  /** The pages of the list of partition key ranges, as JSON. */
  readonly ranges: (read: DirectRead) => Promise<readonly unknown[]>
  /** The offers of one resource, named by its `_self` link, as JSON. */
  readonly offers: (selfLink: string, read: DirectRead) => Promise<unknown>
  /** Closes the connections that these reads have opened. */
  readonly close: () => void
}

/**
 * Creates reads from the endpoint of the account, without retries. They throw a CosmosError, whose `retriable` tells
 * whether the failure may be temporary.
 */
export function createDirectReads(options: CompleteAccountOptions, signer: Signer): DirectReads {
  const { database, container } = options
  const { protocol, hostname, port } = urlToHttpOptions(new URL(options.endpoint))
  const client = createHttpClient(options.agent)
  const link = `dbs/${database}/colls/${container}`
  const path = `/dbs/${encodeURIComponent(database)}/colls/${encodeURIComponent(container)}`

  async function send(
    { verb, type, link: signed, path: asked, headers, body }: Asked,
    { what, signal }: DirectRead
  ): Promise<Answered> {
    const signature = await signer.sign(verb, type, signed)
    const target = { protocol, hostname, port, path: asked }
    const request = { target, method: verb, headers: { ...FIXED_HEADERS, ...headers, ...signature }, body, signal }
    const answer = await client
      .send(request)
      .then(toAnswered)
      .catch((cause: unknown) => {
        throw errorWithoutAnswer(what, cause)
      })
    if (answer.status === 200) return answer
    if (answer.status === 401) signer.renew()
    throw errorOfAnswer(what, {
      status: answer.status,
      subStatus: Number(answer.headers['x-ms-substatus'] ?? 0),
      activityId: stringIn(answer.headers['x-ms-activity-id'])
    })
  }

  async function ranges(read: DirectRead): Promise<readonly unknown[]> {
    const pages: unknown[] = []
    let continuation: string | undefined
    do {
      const headers = {
        'x-ms-max-item-count': '-1',
        ...(continuation === undefined ? {} : { 'x-ms-continuation': continuation })
      }
      const page = await send({ verb: 'GET', type: 'pkranges', link, path: `${path}/pkranges`, headers }, read)
      pages.push(page.json)
      continuation = stringIn(page.headers['x-ms-continuation'])
    } while (continuation !== undefined)
    return pages
  }

  return {
    account: async (read) => (await send({ verb: 'GET', type: '', link: '', path: '/' }, read)).json,
    container: async (read) => (await send({ verb: 'GET', type: 'colls', link, path }, read)).json,
    ranges,
    offers: async (selfLink, read) => {
      const body = JSON.stringify({ query: `SELECT * FROM root WHERE root.resource = ${JSON.stringify(selfLink)}` })
      return (
        await send({ verb: 'POST', type: 'offers', link: '', path: '/offers', headers: QUERY_HEADERS, body }, read)
      ).json
    },
    close: client.close
  }
}

const FIXED_HEADERS = { 'x-ms-version': '2020-07-15', accept: 'application/json', 'user-agent': 'keystamp' }
const QUERY_HEADERS = { 'content-type': 'application/query+json', 'x-ms-documentdb-isquery': 'true' }

interface Asked {
  readonly verb: 'GET' | 'POST'
  readonly type: string
  readonly link: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Answered {
  readonly status: number
  readonly headers: HttpAnswer['headers']
  readonly json: unknown
}

function toAnswered({ status, headers, text }: HttpAnswer): Answered {
  // the body of a refusal is not needed, and a gateway may have sent HTML
  return { status, headers, json: status === 200 ? (JSON.parse(text) as unknown) : undefined }
}
