import { unzip } from 'node:zlib'
import { type Decompress, InflatedTooLarge } from './codec.ts'

/** Gzip, by Node. */
export const decompressGzip: Decompress = (bytes, maxBytes) =>
  new Promise((resolve, reject) => {
    unzip(bytes, { maxOutputLength: Math.max(1, maxBytes) }, (error, inflated) => {
      if (error === null) resolve(inflated)
      else reject(isTooLarge(error) ? new InflatedTooLarge() : new RangeError(`it is damaged (${error.message})`))
    })
  })

/** Whether Node stopped because `maxOutputLength` was reached. */
export function isTooLarge(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}
