/** Request of another command to the process that runs a move. */
export interface ControlRequest {
  readonly id: string
  /** Such as `switch`, `back`, `finish` or `abort`. */
  readonly command: string
  readonly options: Readonly<Record<string, unknown>>
}

/** Answer to a request. */
export interface ControlResult {
  readonly isDone: boolean
  /** Sentence for the user. */
  readonly message: string
}

export const POLL_MS = 500

const FORM = /^(request|result)-([0-9]{13}-[0-9a-f]{8})\.json$/

/** Name of the file with a request. Names sort by time. */
export function requestName(id: string): string {
  return `request-${id}.json`
}

export function resultName(id: string): string {
  return `result-${id}.json`
}

/** Ids of the requests and results among the names of files, in the order of their requests. */
export function idsIn(names: readonly string[], kind: 'request' | 'result'): readonly string[] {
  return names
    .map((name) => FORM.exec(name))
    .filter((found) => found?.[1] === kind)
    .map((found) => found![2])
    .toSorted()
}

/** Reads the text of a request. Undefined if it is none, for example because a user edited it. */
export function parseRequest(id: string, text: string): ControlRequest | undefined {
  const found = parseObject(text)
  if (typeof found?.['command'] !== 'string') return undefined
  const { options } = found
  return { id, command: found['command'], options: isObject(options) ? options : {} }
}

/** Reads the text of a result. */
export function parseResult(text: string): ControlResult | undefined {
  const found = parseObject(text)
  if (typeof found?.['isDone'] !== 'boolean' || typeof found['message'] !== 'string') return undefined
  return { isDone: found['isDone'], message: found['message'] }
}

/** Parses JSON; undefined if it is no object. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
