import avro from 'avsc'

/** Type of avsc that decodes longs as bigints: an independent result for longs that a double does not hold. */
// oxlint-disable-next-line no-underscore-dangle -- the name is from avsc
export const exactLong: avro.Type = avro.types.LongType.__with({
  fromBuffer: (bytes: Buffer) => bytes.readBigInt64LE(),
  toBuffer: (value: bigint) => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64LE(value)
    return bytes
  },
  fromJSON: BigInt,
  toJSON: Number,
  isValid: (value: unknown) => typeof value === 'bigint',
  compare: (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)
})
