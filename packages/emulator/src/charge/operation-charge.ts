const TERM_RU = 0.2
const PATCHED_PROPERTY_RU = 0.4

/** RU of an operation that was refused after it had read an item. */
export const LOOKUP_RU = 1

/** RU of a throttled operation, according to two public traces. */
export const THROTTLED_RU = 0.38

/** RU of a metadata request. */
export const METADATA_RU = 1

/** RU to create or delete an item. */
export function createCharge(bytes: number, terms: number): number {
  return round(writeCharge(bytes) + TERM_RU * terms)
}

/** RU to replace an item, given how many index terms change. */
export function replaceCharge(bytes: number, changedTerms: number): number {
  return round(2 * writeCharge(bytes) + TERM_RU * changedTerms)
}

/** RU to patch an item. */
export function patchCharge(bytes: number, changedTerms: number, patchedProperties: number): number {
  return round(2 * writeCharge(bytes) + TERM_RU * changedTerms + PATCHED_PROPERTY_RU * patchedProperties)
}

/** RU to read an item by its key and id. */
export function pointReadCharge(bytes: number): number {
  return round(readCharge(bytes))
}

/** RU of one page of a query or feed: a fixed part, and a part that grows with the returned bytes. */
export function pageCharge(bytes: number): number {
  return round(PAGE_RU + (bytes / 1024) * PAGE_RU_PER_KB)
}

// fitted to the charges that Microsoft's pages show for queries with simple filters over indexed fields
const PAGE_RU = 2.8
const PAGE_RU_PER_KB = 0.0152

function round(ru: number): number {
  return Math.round(ru * 100) / 100
}

/** RU to read an item of this many bytes. */
function readCharge(bytes: number): number {
  return interpolate(bytes, READ_RU)
}

/** RU to write an item of this many bytes, without its index terms. */
function writeCharge(bytes: number): number {
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
