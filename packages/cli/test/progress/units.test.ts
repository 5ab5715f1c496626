import { expect, test } from 'vitest'
import { bytesText, countOf, countText, durationText } from '../../src/progress/units.ts'

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.00 KB'],
  [999_499, '999 KB'],
  [999_600, '1.00 MB'],
  [2.5e15, '2.50e+3 TB']
])('bytesText writes %d bytes as %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text)
})

test.each([
  [0, '0:00'],
  [59.2, '1:00'],
  [3599, '59:59'],
  [3725, '1:02:05']
])('durationText writes %d seconds as %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text)
})

test.each([
  [0, '0 records'],
  [1, '1 record'],
  [2000, '2,000 records']
])('countOf writes %d as %s', (count, text) => {
  expect(countOf(count, 'record')).toBe(text)
})

test('countText writes a separator between thousands', () => {
  expect(countText(1_234_567)).toBe('1,234,567')
})
