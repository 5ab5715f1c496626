import { createRequire } from 'node:module'

type Send = (request: GroupRequest) => Promise<unknown>

/** The parts of these requests that tests look at. */
interface GroupRequest {
  readonly memberId: string
}

/** Requests of a consumer that a test can intercept. */
export type Scripted = 'heartbeat' | 'joinGroup' | 'leaveGroup' | 'offsetCommit' | 'syncGroup'

const load = createRequire(import.meta.url)
const { prototype } = load('kafkajs/src/broker') as { readonly prototype: Record<Scripted, Send> }
const { KafkaJSConnectionClosedError, KafkaJSProtocolError, KafkaJSRequestTimeoutError } = load(
  'kafkajs/src/errors'
) as Record<string, new (error: unknown, facts?: object) => Error>

/** Passes each request of this kind to `send`; `original` sends it to the broker. The returned function ends this. */
export function script(
  kind: Scripted,
  send: (original: () => Promise<unknown>, request: GroupRequest) => Promise<unknown>
): () => void {
  const before = prototype[kind]
  prototype[kind] = function scripted(this: unknown, request: GroupRequest) {
    return send(() => before.call(this, request), request)
  }
  return () => {
    prototype[kind] = before
  }
}

/** Like `script`, for the next request only. */
export function scriptOnce(kind: Scripted, send: (original: () => Promise<unknown>) => Promise<unknown>): void {
  const restore = script(kind, (original) => {
    restore()
    return send(original)
  })
}

/** Lets the broker process the request, but breaks the connection before its answer arrives. */
export async function loseAnswer(original: () => Promise<unknown>): Promise<never> {
  await original()
  throw new KafkaJSConnectionClosedError('Closed connection', { host: '127.0.0.1', port: 1 })
}

export function timedOut(): Error {
  return new KafkaJSRequestTimeoutError('Request timed out')
}

/** An answer that the request is not allowed, which kafkajs does not retry. */
export function forbidden(): Error {
  return new KafkaJSProtocolError({
    type: 'CLUSTER_AUTHORIZATION_FAILED',
    code: 31,
    message: 'Not authorized',
    retriable: false
  })
}

/** The answer to a member whose generation has ended. */
export function illegalGeneration(): Error {
  return new KafkaJSProtocolError({
    type: 'ILLEGAL_GENERATION',
    code: 22,
    message: 'Illegal generation',
    retriable: false
  })
}

/** The answer of a broker while members join. */
export function rebalanceInProgress(): Error {
  return new KafkaJSProtocolError({
    type: 'REBALANCE_IN_PROGRESS',
    code: 27,
    message: 'The group is rebalancing',
    retriable: false
  })
}
