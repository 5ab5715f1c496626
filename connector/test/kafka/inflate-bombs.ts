// Decodes a fetch response of 20 partitions, each with a batch of 300 MB under one codec, and prints the peak memory of
// the process, in MB.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createGzip } from 'node:zlib'
import { compress as compressLz4 } from 'lz4js'
import { compress as compressSnappy } from 'snappyjs'
import { patchKafkajs } from '../../src/kafka/kafkajs-patches/patch-kafkajs.ts'
import { fetchResponse } from './fetch-response.ts'
import { zstdOfZeros } from './zstd-of-zeros.ts'

const PARTITIONS = 20
const BOMB_BYTES = 300_000_000
const PIECE = Buffer.alloc(6_000_000)

const CODECS: Readonly<Record<string, { readonly codec: number; readonly bomb: () => Buffer | Promise<Buffer> }>> = {
  gzip: { codec: 1, bomb: gzipBomb },
  // a Snappy block begins with its decompressed length, which an attacker can choose: this one is false
  snappy: { codec: 2, bomb: () => Buffer.concat([varint(BOMB_BYTES), Buffer.from(compressSnappy(PIECE)).subarray(4)]) },
  // LZ4 frames can be concatenated
  lz4: {
    codec: 3,
    bomb: () => Buffer.concat(Array.from({ length: BOMB_BYTES / PIECE.length }, () => Buffer.from(compressLz4(PIECE))))
  },
  zstd: { codec: 4, bomb: () => zstdOfZeros(BOMB_BYTES) }
}

const { codec, bomb } = CODECS[process.argv[2]]
// another client of the process has read a response before
createRequire(import.meta.url)('kafkajs/src/protocol/requests/fetch/v11/response.js')
patchKafkajs(64 * 1_048_576)
const body = await bomb()
const response = fetchResponse(Array.from({ length: PARTITIONS }, () => [{ firstOffset: 0, records: 1, codec, body }]))
const { decode } = createRequire(import.meta.url)('kafkajs/src/protocol/requests/fetch/v11/response.js') as {
  readonly decode: (bytes: Buffer) => Promise<unknown>
}
// a consumer fetches again and again
for (let fetch = 0; fetch < 3; fetch++) await decode(response)
process.stdout.write(`${Math.round(peakKb() / 1024)}\n`)

async function gzipBomb(): Promise<Buffer> {
  const gzip = createGzip()
  const chunks: Buffer[] = []
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk))
  for (let written = 0; written < BOMB_BYTES; written += PIECE.length) {
    if (!gzip.write(PIECE)) await new Promise((resolve) => gzip.once('drain', resolve))
  }
  await new Promise((resolve) => gzip.end(resolve))
  return Buffer.concat(chunks)
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let left = value
  for (; left > 0x7f; left = Math.floor(left / 128)) bytes.push((left % 128) | 0x80)
  return Buffer.from([...bytes, left])
}

/** Peak of the memory. On Linux, the resource usage begins with the memory of the process that started this one. */
function peakKb(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))![1])
}
