/** A record batch, compressed or not, in the form of a fetch response. */
export interface TestBatch {
  readonly firstOffset: number
  readonly records: number
  /** Last offset, if compaction has removed records at the end. Default: the offset of the last record. */
  readonly lastOffset?: number
  /** 0 for none, 1 gzip, 2 snappy, 3 lz4, 4 zstd. */
  readonly codec: number
  /** The records, compressed with the codec. */
  readonly body: Buffer
  /** Producer, if the batch is part of a transaction. */
  readonly producerId?: number
}

/**
 * Response to a fetch of version 11, with the batches of partitions 0, 1 and so on of the topic `t`. `cutBytes`: number
 * of bytes that are cut off at the end of each partition.
 */
export function fetchResponse(partitions: readonly (readonly TestBatch[])[], cutBytes = 0): Buffer {
  const parts = [int32(0), int16(0), int32(0), int32(1), string('t'), int32(partitions.length)]
  for (const [partition, batches] of partitions.entries()) {
    const whole = Buffer.concat(batches.map(toBatch))
    const records = whole.subarray(0, whole.length - cutBytes)
    parts.push(
      int32(partition),
      int16(0),
      int64(1000),
      int64(1000),
      int64(0),
      int32(0),
      int32(-1),
      int32(records.length),
      records
    )
  }
  return Buffer.concat(parts)
}

/** Records with these values and this number of headers each, in the form of a batch. */
export function recordsOf(values: readonly Buffer[], headers = 0): Buffer {
  return Buffer.concat(
    values.flatMap((value, index) => {
      const body = Buffer.concat([
        Buffer.from([0]),
        varint(0),
        varint(index),
        varint(-1),
        varint(value.length),
        value,
        varint(headers),
        // empty names and values
        Buffer.alloc(2 * headers)
      ])
      return [varint(body.length), body]
    })
  )
}

function toBatch({
  firstOffset,
  records,
  lastOffset = firstOffset + records - 1,
  codec,
  body,
  producerId
}: TestBatch): Buffer {
  const attributes = codec | (producerId === undefined ? 0 : 0x10)
  const rest = Buffer.concat([
    int32(0),
    Buffer.from([2]),
    int32(0),
    int16(attributes),
    int32(lastOffset - firstOffset),
    int64(1_000),
    int64(2_000),
    int64(producerId ?? -1),
    int16(-1),
    int32(-1),
    int32(records),
    body
  ])
  return Buffer.concat([int64(firstOffset), int32(rest.length), rest])
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function int64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt(value))
  return bytes
}

function string(text: string): Buffer {
  return Buffer.concat([int16(text.length), Buffer.from(text)])
}

/** Zigzag, 7 bits a byte. */
function varint(value: number): Buffer {
  const bytes: number[] = []
  let left = value < 0 ? -value * 2 - 1 : value * 2
  for (; left > 0x7f; left = Math.floor(left / 128)) bytes.push((left % 128) | 0x80)
  return Buffer.from([...bytes, left])
}
