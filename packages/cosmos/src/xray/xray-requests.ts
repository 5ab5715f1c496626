import { urlToHttpOptions } from 'node:url'
import { type Backoff, type Clock, retry, type StopSignal } from '@keystamp/core/internal'
import { chooseRegion } from '../client/account.ts'
import type { CompleteAccountOptions } from '../client/account-options.ts'
import { CosmosError, errorOfAnswer, errorWithoutAnswer } from '../client/cosmos-error.ts'
import { createHttpClient, type HttpAnswer, stringIn } from '../client/http-client.ts'
import { createSigner } from '../client/signer.ts'
import { isMoved } from './range-routes.ts'
import type { RuLimiter } from './ru-limiter.ts'

/** Kinds of requests that an X-ray sends. No other kind exists, and none of them writes. */
export type XrayRequestKind =
  | 'account'
  | 'container'
  | 'ranges'
  | 'offers'
  | 'query'
  | 'changeFeed'
  | 'storedProcedures'
  | 'triggers'
  | 'functions'

export interface XrayRequest {
  /** Part of the error message, such as "reading the container". */
  readonly what: string
  readonly kind: XrayRequestKind
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** RU that the request is expected to cost. */
  readonly expectedRu: number
}

export interface XrayAnswer {
  /** 200, or 304 of a change feed without changes. */
  readonly status: number
  readonly chargeRu: number
  readonly headers: HttpAnswer['headers']
  readonly json: unknown
}

/** Sends the requests of an X-ray, one after the other and within the limit. */
export interface XrayRequests {
  /** Repeats a request after temporary failures. Throws a CosmosError for any other answer than 200 and 304. */
  readonly send: (request: XrayRequest) => Promise<XrayAnswer>
  readonly close: () => void
}

interface XrayRequestsOptions {
  readonly account: CompleteAccountOptions
  readonly limiter: RuLimiter
  readonly clock: Clock
  readonly signal: StopSignal & AbortSignal
  readonly onRetry: ((error: CosmosError, waitedMs: number) => void) | undefined
}

const TIMEOUT_MS = 30_000
/** Time for which a request is repeated: a container at its limit throttles the requests of an X-ray, too. */
const RETRY_FOR_MS = 60_000
const BACKOFF: Backoff = { firstMs: 100, maxMs: 2000, random: Math.random }

/** Creates signed requests to one container. The first of them finds the region to read from. */
export function createXrayRequests({ account, limiter, clock, signal, onRetry }: XrayRequestsOptions): XrayRequests {
  const { database, container, preferredRegions = [] } = account
  const client = createHttpClient(account.agent)
  const signer = createSigner(account, Date.now)
  const link = `dbs/${database}/colls/${container}`
  const path = `/dbs/${encodeURIComponent(database)}/colls/${encodeURIComponent(container)}`
  let endpoint: Promise<string> | undefined

  async function send(request: XrayRequest): Promise<XrayAnswer> {
    let isRenewed = false
    const startMs = clock.now()
    return retry(
      async () => {
        try {
          return await sendOnce(request)
        } catch (error) {
          if (!(error instanceof CosmosError) || error.statusCode !== 401 || isRenewed) throw error
          isRenewed = true
          signer.renew()
          return sendOnce(request)
        }
      },
      {
        clock,
        signal,
        backoff: BACKOFF,
        timeoutMs: RETRY_FOR_MS,
        // only the caller knows which ranges to ask instead
        isRetriable: (error) =>
          error instanceof CosmosError && error.retriable && !(isMoved(error) && namesRange(request)),
        retryAfterMs: (error) => (error as CosmosError).retryAfterMs,
        onRetry: (error) => onRetry?.(error as CosmosError, clock.now() - startMs)
      }
    )
  }

  async function sendOnce(request: XrayRequest): Promise<XrayAnswer> {
    const { what, kind, headers, body, expectedRu } = request
    const { verb, type, ...target } = targetOf(kind, link, path)
    const base = kind === 'account' ? account.endpoint : await readEndpoint()
    const { protocol, hostname, port } = urlToHttpOptions(new URL(base))
    signal.throwIfAborted()
    const signed = await signer.sign(verb, type, target.link)
    const answer = await limiter.run(
      expectedRu,
      async () => {
        const value = await client
          .send({
            target: { protocol, hostname, port, path: target.path },
            method: verb,
            headers: { ...FIXED_HEADERS, ...headers, ...signed },
            body,
            signal,
            timeoutMs: TIMEOUT_MS
          })
          .catch((cause: unknown) => {
            signal.throwIfAborted()
            throw errorWithoutAnswer(what, cause)
          })
        return { chargeRu: numberIn(value.headers['x-ms-request-charge']) ?? 0, value }
      },
      signal
    )
    return toAnswer(what, answer)
  }

  function readEndpoint(): Promise<string> {
    endpoint ??= send({ what: `reading the account ${account.endpoint}`, kind: 'account', expectedRu: 1 }).then(
      ({ json }) =>
        chooseRegion(json as Parameters<typeof chooseRegion>[0], 'read', preferredRegions) ?? account.endpoint
    )
    return endpoint
  }

  return { send, close: client.close }
}

// an application goes first where the account has priorities
const FIXED_HEADERS: Readonly<Record<string, string>> = {
  'x-ms-version': '2020-07-15',
  accept: 'application/json',
  // 1: merged physical partitions; 2: their change feed from a time on
  'x-ms-cosmos-sdk-supportedcapabilities': '3',
  'x-ms-cosmos-priority-level': 'Low',
  'user-agent': 'keystamp'
}

interface Target {
  readonly verb: 'GET' | 'POST'
  readonly type: string
  readonly link: string
  readonly path: string
}

/** Method and address of each kind. The two POSTs are queries. */
function targetOf(kind: XrayRequestKind, link: string, path: string): Target {
  switch (kind) {
    case 'account':
      return { verb: 'GET', type: '', link: '', path: '/' }
    case 'container':
      return { verb: 'GET', type: 'colls', link, path }
    case 'ranges':
      return { verb: 'GET', type: 'pkranges', link, path: `${path}/pkranges` }
    case 'offers':
      return { verb: 'POST', type: 'offers', link: '', path: '/offers' }
    case 'query':
      return { verb: 'POST', type: 'docs', link, path: `${path}/docs` }
    case 'changeFeed':
      return { verb: 'GET', type: 'docs', link, path: `${path}/docs` }
    case 'storedProcedures':
      return { verb: 'GET', type: 'sprocs', link, path: `${path}/sprocs` }
    case 'triggers':
      return { verb: 'GET', type: 'triggers', link, path: `${path}/triggers` }
    case 'functions':
      return { verb: 'GET', type: 'udfs', link, path: `${path}/udfs` }
  }
}

function toAnswer(what: string, { status, headers, text }: HttpAnswer): XrayAnswer {
  const chargeRu = numberIn(headers['x-ms-request-charge']) ?? 0
  if (status === 304) return { status, chargeRu, headers, json: undefined }
  if (status === 200) {
    try {
      return { status, chargeRu, headers, json: JSON.parse(text) as unknown }
    } catch {
      throw errorWithoutAnswer(what, { code: 'an answer that is not JSON' })
    }
  }
  throw errorOfAnswer(what, {
    status,
    subStatus: numberIn(headers['x-ms-substatus']) ?? 0,
    retryAfterMs: numberIn(headers['x-ms-retry-after-ms']),
    activityId: stringIn(headers['x-ms-activity-id'])
  })
}

function numberIn(header: string | string[] | undefined): number | undefined {
  const text = stringIn(header)
  const number = text === undefined ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : undefined
}

/** Whether a request names the physical partition that answers it. */
function namesRange({ headers }: XrayRequest): boolean {
  return headers?.['x-ms-documentdb-partitionkeyrangeid'] !== undefined
}
