import type { FileHandle } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createFileWriter } from '../../src/outputs/open-output.ts'

describe('createFileWriter', () => {
  test('writes one chunk at a time, in order, even if each write accepts few bytes', async () => {
    const { file, written, most } = slowFile(3)
    const writer = createFileWriter(file)

    for (const text of ['first ', 'second ', 'third']) {
      const bytes = writer.allocate(100)
      await writer.write(bytes.subarray(0, bytes.write(text)))
    }
    await writer.settle()

    expect(written()).toBe('first second third')
    expect(most()).toBe(1)
  })

  test('creates a writer whose `write` returns before the chunk is written, and whose next call reports a failure', async () => {
    let fail: ((error: Error) => void) | undefined
    const file = { write: () => new Promise((_resolve, reject) => (fail = reject)) } as unknown as FileHandle
    const writer = createFileWriter(file)

    await writer.write(Buffer.from('a'))
    fail?.(new Error('disk full'))

    await expect(writer.write(Buffer.from('b'))).rejects.toThrow('disk full')
    await expect(writer.settle()).rejects.toThrow('disk full')
  })

  test('reuses the buffers whose bytes are written', async () => {
    const { file } = slowFile(1000)
    const writer = createFileWriter(file)
    const seen = new Set<unknown>()

    for (let time = 0; time < 20; time++) {
      const bytes = writer.allocate(1000)
      seen.add(bytes.buffer)
      await writer.write(bytes.subarray(0, 10))
    }
    await writer.settle()

    expect(seen.size).toBeLessThanOrEqual(3)
  })
})

/** A file that accepts a limited number of bytes in each write, asynchronously. */
function slowFile(atOnce: number): {
  readonly file: FileHandle
  readonly written: () => string
  readonly most: () => number
} {
  let text = ''
  let open = 0
  let most = 0
  const write = async (bytes: Buffer, at: number, length: number): Promise<{ readonly bytesWritten: number }> => {
    most = Math.max(most, ++open)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    const bytesWritten = Math.min(atOnce, length)
    text += bytes.toString('utf8', at, at + bytesWritten)
    open--
    return { bytesWritten }
  }
  return { file: { write } as unknown as FileHandle, written: () => text, most: () => most }
}
