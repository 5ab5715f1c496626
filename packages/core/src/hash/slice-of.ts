import { componentHashV1 } from './hash-v1.ts'
import { hashV2Of } from './hash-v2.ts'

/** Which of `count` equal slices of the hash space, 1 to `count`, a key falls into. */
export function sliceOf(key: string, count: number, hashVersion: 1 | 2): number {
  return hashVersion === 1 ? sliceOfV1(componentHashV1(key), count) : sliceOfV2(Number.parseInt(hashV2Of(key).slice(0, 8), 16), count)
}

/** The slice of the 32-bit hash of version 1. */
export function sliceOfV1(hash: number, count: number): number {
  return 1 + Math.floor((hash * count) / 0x1_0000_0000)
}

/** The slice of the first eight digits of an effective partition key of version 2, 30 bits as a number. */
export function sliceOfV2(top: number, count: number): number {
  return 1 + Math.floor((top * count) / 0x4000_0000)
}
