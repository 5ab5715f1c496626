import { Readable, type Transform } from 'node:stream'

/** Cuts bytes into chunks. Uses the sizes in turn. */
export function cutBytes(bytes: Uint8Array, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = []
  let at = 0
  for (let turn = 0; at < bytes.length; turn++) {
    const end = Math.min(bytes.length, at + Math.max(1, sizes[turn % sizes.length] ?? bytes.length))
    chunks.push(Buffer.from(bytes.subarray(at, end)))
    at = end
  }
  return chunks
}

/** Sends chunks through a stream of bytes and returns the whole output as a string. */
export async function runBytes(stream: Transform, chunks: readonly (Buffer | string)[]): Promise<string> {
  const out: Buffer[] = []
  const source = Readable.from(chunks.filter((chunk) => chunk.length > 0))
  source.on('error', (error) => stream.destroy(error))
  for await (const chunk of source.pipe(stream)) out.push(chunk as Buffer)
  return Buffer.concat(out).toString()
}
