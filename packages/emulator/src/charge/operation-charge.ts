import { readCharge, writeCharge } from './size-charge.ts'

const TERM_RU = 0.2
const PATCHED_PROPERTY_RU = 0.4

/** What a refused operation costs that looked at an item and changed nothing. */
export const LOOKUP_RU = 1

/** What a throttled operation costs: seen in two public traces. */
export const THROTTLED_RU = 0.38

/** RU of a metadata request. */
export const METADATA_RU = 1

/** RU to create or delete an item. */
export function createCharge(bytes: number, terms: number): number {
  return round(writeCharge(bytes) + TERM_RU * terms)
}

/** RU to replace an item, given how many index terms come and go. */
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

/** RU of one page of a query or feed: a fixed part, and a share of what reading the returned bytes would cost. */
export function pageCharge(bytes: number): number {
  return round(PAGE_RU + (bytes / 1024) * PAGE_RU_PER_KB)
}

const PAGE_RU = 2.25
const PAGE_RU_PER_KB = 0.3

function round(ru: number): number {
  return Math.round(ru * 100) / 100
}
