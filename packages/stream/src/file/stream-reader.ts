import type { Readable } from 'node:stream'
import { inputError } from './system-error.ts'
import type { Reader } from './reader.ts'

/** Reads a stream: standard input, or the end of a chain that decompresses. */
export function createStreamReader(name: string, stream: Readable, bytesRead?: () => number): Reader {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer | string>
  let total = 0
  return {
    name,
    next: async () => {
      try {
        const { done, value } = await chunks.next()
        if (done === true) return undefined
        const chunk = typeof value === 'string' ? Buffer.from(value) : value
        total += chunk.length
        return chunk
      } catch (error) {
        throw inputError(name, error)
      }
    },
    bytesRead: bytesRead ?? (() => total),
    close: async () => {
      await chunks.return?.()
    }
  }
}
