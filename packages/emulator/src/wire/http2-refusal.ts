/** Whether a connection begins as HTTP/2 does. */
export function isHttp2(received: Buffer | undefined): boolean {
  return received?.subarray(0, PREFACE.length).toString('latin1') === PREFACE
}

const PREFACE = 'PRI * HTTP/2.0'

const SETTINGS = 4
const GOAWAY = 7
const ERROR_HTTP_1_1_REQUIRED = 13

/** What tells an HTTP/2 client to come back with HTTP/1.1: empty settings, then a farewell with this reason. */
export const HTTP_1_1_REQUIRED: Buffer = Buffer.concat([frame(SETTINGS, []), frame(GOAWAY, [0, 0, 0, 0, 0, 0, 0, ERROR_HTTP_1_1_REQUIRED])])

function frame(type: number, payload: readonly number[]): Buffer {
  return Buffer.from([0, 0, payload.length, type, 0, 0, 0, 0, 0, ...payload])
}
