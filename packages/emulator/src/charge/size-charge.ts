/** RU to read an item of this many bytes. */
export function readCharge(bytes: number): number {
  return interpolate(bytes, READ_RU)
}

/** RU to write an item of this many bytes, before its index terms. */
export function writeCharge(bytes: number): number {
  return interpolate(bytes, WRITE_RU)
}

// 1, 2, 4 ... 2048 KB, from Microsoft's page on request unit consumption
const READ_RU: readonly number[] = [1, 1.04, 1.14, 1.33, 1.67, 2.19, 4.76, 9.95, 20.28, 40.95, 145.9, 291.8]
const WRITE_RU: readonly number[] = [4.95, 6.29, 6.67, 7.04, 9.52, 11.23, 22.67, 48.19, 98.29, 184.57, 625, 1250]

function interpolate(bytes: number, table: readonly number[]): number {
  const kilobytes = bytes / 1024
  if (kilobytes <= 1) return table[0]
  const row = Math.min(Math.floor(Math.log2(kilobytes)), table.length - 2)
  const low = 2 ** row
  const share = Math.min((kilobytes - low) / low, 1)
  return table[row] + (table[row + 1] - table[row]) * share
}
