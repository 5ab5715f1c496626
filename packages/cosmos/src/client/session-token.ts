import { type HttpAnswer, stringIn } from './http-client.ts'

/**
 * Whether an answer with or without documents is at least as new as a session token. An account with a weaker
 * consistency than `Session` ignores the session token of a request, so the token of the answer is compared with it.
 */
export function isCurrent({ status, headers }: Pick<HttpAnswer, 'status' | 'headers'>, asked: string): boolean {
  const answered = stringIn(headers['x-ms-session-token'])
  return !ANSWERED.has(status) || answered === undefined || !isBehind(answered, asked)
}

/**
 * Whether an answer with the first token has all changes that the second one stands for. False for tokens of different
 * physical partitions, which cannot be compared.
 */
export function coversToken(answered: string, asked: string): boolean {
  const token = parse(asked)
  if (token === undefined) return false
  return answered.split(',').some((text) => parse(text)?.rangeId === token.rangeId && !isBehind(text, asked))
}

/** The physical partition that a token names; undefined if it names several, or has another form. */
export function rangeOfToken(text: string): string | undefined {
  return parse(text)?.rangeId
}

const ANSWERED: ReadonlySet<number> = new Set([200, 304, 404])

/** Whether both tokens name the same physical partition, and the first one has a lower LSN. */
export function isBehind(answered: string, asked: string): boolean {
  const tokens = asked.split(',').map(parse)
  return answered.split(',').some((text) => {
    const answer = parse(text)
    return tokens.some(
      (token) =>
        token !== undefined &&
        token.rangeId === answer?.rangeId &&
        (answer.version < token.version || (answer.version === token.version && answer.lsn < token.lsn))
    )
  })
}

interface SessionToken {
  readonly rangeId: string
  readonly version: number
  readonly lsn: number
}

/** Reads `range:lsn` or `range:version#lsn#region=lsn`; undefined for any other form. */
function parse(text: string): SessionToken | undefined {
  const match = /^\s*([^:]+):(?:(-?\d+)#)?(\d+)(?:#.*)?\s*$/.exec(text)
  return match === null ? undefined : { rangeId: match[1], version: Number(match[2] ?? -1), lsn: Number(match[3]) }
}
