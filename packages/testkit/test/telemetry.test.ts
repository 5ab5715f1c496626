import { expect, test } from 'vitest'
import { createTelemetry } from '../src/telemetry.ts'

const bytesOf = (record: unknown): number => Buffer.byteLength(JSON.stringify(record))
const take = <T>(count: number, next: () => T): readonly T[] => Array.from({ length: count }, next)
const average = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0) / sizes.length
// oxlint-disable-next-line no-control-regex -- the range is all of ASCII
const isAscii = (record: unknown): boolean => /^[\u0000-\u007f]*$/.test(JSON.stringify(record))

test('telemetry has the same records for the same seed, and other records for another seed', () => {
  expect(take(20, createTelemetry(7).big)).toEqual(take(20, createTelemetry(7).big))
  expect(take(20, createTelemetry(7).big)).not.toEqual(take(20, createTelemetry(8).big))
})

test('telemetry has big records of about 1 KB and small records of about 156 bytes', () => {
  const telemetry = createTelemetry(1)

  expect(Math.abs(average(take(500, telemetry.big).map(bytesOf)) - 1012)).toBeLessThan(15)
  expect(Math.abs(average(take(500, telemetry.small).map(bytesOf)) - 156)).toBeLessThan(8)
})

test('telemetry has characters beyond ASCII in about a third of the big records, and in no record of the ASCII variant', () => {
  const telemetry = createTelemetry(1)
  const wide = take(2000, telemetry.big).filter((record) => !isAscii(record)).length

  expect(wide / 2000).toBeGreaterThan(0.27)
  expect(wide / 2000).toBeLessThan(0.37)
  expect(take(500, telemetry.bigAscii).every(isAscii)).toBe(true)
})

test('telemetry has the fields of the key at the end of a record in the late variant', () => {
  const record = createTelemetry(1).bigLate()

  expect(Object.keys(record).slice(-3)).toEqual(['deviceId', 'date', 'day'])
})
