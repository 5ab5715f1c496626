import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { HIDDEN_KEYS, hideMarkerKeys, type TransactionMessage } from './decoded-records.ts'
import { InflatedTooLarge } from '../codecs/codec.ts'
import { MESSAGE_BYTES, objectBytesOf } from '../kafkajs-records.ts'
import type { OversizedBatch } from '../consumer-port.ts'

/**
 * Bounds the memory that decompression takes for a fetch response. kafkajs inflates everything that it fetches: 600 KB
 * can become 600 MB. This replaces the kafkajs decoder for the records of one partition, because only there the header
 * of a batch, with its offsets, is known before the compressed part is read. A refused batch is replaced by one message
 * without a value, at the batch's last offset, that carries an `OversizedBatch`; the other partitions are read as
 * usual.
 *
 * A batch that compaction has emptied is replaced by a control record, which is not delivered.
 */
export function boundFetches(): void {
  const path = require.resolve('kafkajs/src/protocol/requests/fetch/v4/decodeMessages.js')
  const inner: Inner = {
    Decoder: require('kafkajs/src/protocol/decoder.js') as Inner['Decoder'],
    decodeBatch: require('kafkajs/src/protocol/recordBatch/v0/decoder.js') as Inner['decodeBatch'],
    decodeMessageSet: require('kafkajs/src/protocol/messageSet/decoder.js') as Inner['decodeMessageSet']
  }
  require(path)
  require.cache[path]!.exports = (decoder: Decoder): Promise<readonly Message[]> => decodeMessages(decoder, inner)
  // kafkajs loads its response decoders at a request, and then finds the function above in the module cache; those that
  // another client of the process has loaded already are loaded again
  const folder = join(dirname(dirname(path)), 'v')
  for (const name of Object.keys(require.cache))
    if (name.startsWith(folder) && basename(name) === 'response.js') delete require.cache[name]
}

const require = createRequire(import.meta.url)

/**
 * Limits the bytes that one fetch response may inflate to. Applies to the whole process: a response does not say which
 * consumer requested it.
 */
export function limitInflation(maxBytes: number): void {
  limitBytes = maxBytes
}

let limitBytes = Number.POSITIVE_INFINITY

/** Limit for the batch that is being decoded. kafkajs calls the codec in the same turn in which `inflating` was set. */
interface Inflating {
  readonly maxBytes: number
  /** Undefined in the format before Kafka 0.11. */
  readonly records: number | undefined
  /** Size of the inflated bytes and of the objects that are created from them. */
  bytes: number
}

let inflating: Inflating | undefined

/**
 * Takes the limit of the batch that kafkajs is decoding now. A batch in the format before Kafka 0.11 has the limit of
 * the process. Called by codecs.
 */
export function takeInflating(): Inflating {
  const taken = inflating ?? { maxBytes: limitBytes, records: undefined, bytes: 0 }
  inflating = undefined
  return taken
}

/** Bytes that a response may still inflate to. */
const budgets = new WeakMap<Buffer, { leftBytes: number }>()

async function decodeMessages(
  decoder: Decoder,
  { Decoder, decodeBatch, decodeMessageSet }: Inner
): Promise<readonly Message[]> {
  const size = decoder.readInt32()
  if (size <= 0 || !decoder.canReadBytes(size)) return []
  const bytes = decoder.readBytes(size)
  const batches = new Decoder(bytes)
  if (bytes.length <= MAGIC_AT || bytes.readInt8(MAGIC_AT) !== MAGIC) return decodeMessageSet(batches, size)
  const budget = budgetOf(decoder.buffer)
  const messages: Message[] & { [HIDDEN_KEYS]?: readonly TransactionMessage[] } = []
  const hidden: TransactionMessage[] = []
  while (batches.canReadBytes(HEADER_BYTES)) {
    const header = readHeader(bytes, batches.offset)
    // the last batch of a fetch is cut at the size of the fetch
    if (batches.offset + header.totalBytes > bytes.length) break
    if (header.records === 0) {
      batches.offset = header.endsAt
      messages.push(emptied(header))
      continue
    }
    const decoded = header.isCompressed ? await decodeCompressed(header) : await decodePlain(header)
    if (decoded === 'later') break
    if (header.isOfTransaction) hidden.push(...hideMarkerKeys(decoded as unknown as readonly TransactionMessage[]))
    for (const message of decoded) messages.push(message)
  }
  if (hidden.length > 0) messages[HIDDEN_KEYS] = hidden
  return messages

  async function decodePlain(header: BatchHeader): Promise<readonly Message[] | 'later'> {
    const body = bytes.subarray(batches.offset + HEADER_BYTES, batches.offset + header.totalBytes)
    const objectBytes = objectBytesOf(body, header.records, budget.leftBytes)
    if (objectBytes > budget.leftBytes) return refuseOrWait(header, budget.leftBytes === limitBytes)
    budget.leftBytes -= objectBytes
    return (await decodeBatch(batches)).records
  }

  async function decodeCompressed(header: BatchHeader): Promise<readonly Message[] | 'later'> {
    const isFirst = budget.leftBytes === limitBytes
    const request: Inflating = { maxBytes: budget.leftBytes, records: header.records, bytes: 0 }
    if (header.records * MESSAGE_BYTES > budget.leftBytes) return refuseOrWait(header, isFirst)
    try {
      // the codec is called before this call returns
      inflating = request
      const decoding = decodeBatch(batches)
      inflating = undefined
      const { records } = await decoding
      budget.leftBytes -= request.bytes
      return records
    } catch (error) {
      if (!(error instanceof InflatedTooLarge)) throw error
      return refuseOrWait(header, isFirst)
    }
  }

  /**
   * Returns `later` if earlier batches of the response have taken memory: the batch is fetched again, and is then the
   * first one.
   */
  function refuseOrWait(header: BatchHeader, isFirst: boolean): readonly Message[] | 'later' {
    if (!isFirst) return 'later'
    // the memory of the attempt is not free before the garbage collector has run
    budget.leftBytes = 0
    batches.offset = header.endsAt
    return [refused(header)]
  }
}

function budgetOf(response: Buffer): { leftBytes: number } {
  let budget = budgets.get(response)
  if (budget === undefined) budgets.set(response, (budget = { leftBytes: limitBytes }))
  return budget
}

/** Header of a batch, which is never compressed. */
interface BatchHeader {
  readonly firstOffset: bigint
  readonly totalBytes: number
  readonly endsAt: number
  readonly attributes: number
  readonly lastOffsetDelta: number
  readonly maxTimestamp: bigint
  readonly producerId: bigint
  readonly records: number
  readonly isCompressed: boolean
  /** True for the records of a transaction, false for the marker that ends it. */
  readonly isOfTransaction: boolean
}

// https://kafka.apache.org/documentation/#recordbatch
function readHeader(bytes: Buffer, at: number): BatchHeader {
  const attributes = bytes.readInt16BE(at + 21)
  const totalBytes = LENGTH_END + bytes.readInt32BE(at + 8)
  return {
    firstOffset: bytes.readBigInt64BE(at),
    totalBytes,
    endsAt: at + totalBytes,
    attributes,
    lastOffsetDelta: bytes.readInt32BE(at + 23),
    maxTimestamp: bytes.readBigInt64BE(at + 35),
    producerId: bytes.readBigInt64BE(at + 43),
    records: bytes.readInt32BE(at + 57),
    isCompressed: (attributes & CODEC_MASK) !== 0,
    isOfTransaction: (attributes & (IN_TRANSACTION | IS_CONTROL)) === IN_TRANSACTION
  }
}

const LENGTH_END = 12
const HEADER_BYTES = 61
const MAGIC_AT = 16
const MAGIC = 2
const CODEC_MASK = 0x07
const IN_TRANSACTION = 0x10
const IS_CONTROL = 0x20

function refused(header: BatchHeader): Message {
  const { firstOffset, lastOffsetDelta, attributes, totalBytes, producerId, maxTimestamp } = header
  const lastOffset = String(firstOffset + BigInt(lastOffsetDelta))
  const isControlBatch = (attributes & IS_CONTROL) !== 0
  return {
    offset: lastOffset,
    timestamp: String(maxTimestamp),
    key: null,
    value: null,
    headers: {},
    isControlRecord: isControlBatch,
    // kafkajs filters the batches of aborted transactions by these fields
    batchContext: {
      producerId: String(producerId),
      inTransaction: (attributes & IN_TRANSACTION) !== 0,
      isControlBatch
    },
    oversizedBatch: { firstOffset: String(firstOffset), lastOffset, bytes: totalBytes, maxBytes: limitBytes }
  }
}

/**
 * Represents a batch without records. Compaction keeps the header of the last batch of a producer. kafkajs continues
 * after the last message of a fetch, so without this message it would fetch the same batch again and again.
 */
function emptied(header: BatchHeader): Message {
  const { oversizedBatch: _, ...message } = refused(header)
  return { ...message, isControlRecord: true }
}

/** A message as kafkajs decodes it. */
interface Message {
  readonly offset: string
  readonly oversizedBatch?: OversizedBatch
  readonly [field: string]: unknown
}

interface Decoder {
  readonly buffer: Buffer
  offset: number
  readonly readInt32: () => number
  readonly readBytes: (length: number) => Buffer
  readonly canReadBytes: (length: number) => boolean
}

/** Parts of kafkajs that stay in use. */
interface Inner {
  readonly Decoder: new (bytes: Buffer) => Decoder
  readonly decodeBatch: (decoder: Decoder) => Promise<{ readonly records: readonly Message[] }>
  readonly decodeMessageSet: (decoder: Decoder, size: number) => Promise<readonly Message[]>
}
