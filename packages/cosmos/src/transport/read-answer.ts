import { parseAnswer } from './parse-answer.ts'
import type { Answer, Request } from './transport.ts'

/** An answer that came whole. */
export interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly chunks: readonly Buffer[]
}

/** What an answer says of the operations of its request. */
export function readAnswer({ status, headers, chunks }: Response, { operations }: Request): Answer {
  if (status === 200 || status === 207) {
    return parseAnswer(chunks.length === 1 ? chunks[0].toString() : Buffer.concat(chunks).toString(), operations)
  }
  const retryAfterMs = numberIn(headers['x-ms-retry-after-ms'])
  const activityId = headers['x-ms-activity-id']
  return {
    kind: 'refused',
    status,
    subStatus: numberIn(headers['x-ms-substatus']) ?? 0,
    retryAfterMs,
    chargeRu: numberIn(headers['x-ms-request-charge']) ?? 0,
    activityId: typeof activityId === 'string' ? activityId : undefined
  }
}

/** No answer came, or only a part of it. */
export function unanswered(error: Error, isSent: boolean): Answer {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  // names of the client's own say less than its sentences
  return { kind: 'unanswered', reason: code === undefined || code.startsWith('UND_') ? error.message : code, isSent }
}

function numberIn(header: string | readonly string[] | undefined): number | undefined {
  const number = typeof header === 'string' ? Number(header) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}
