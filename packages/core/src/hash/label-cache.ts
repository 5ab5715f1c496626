import { evenLabels } from './even-labels.ts'

/** About four megabytes at four bytes a label. */
const MAX_LABELS = 1_000_000

/** The even labels of a prefix, kept while it is in use. */
export type LabelsOf = (prefix: string) => Int32Array

/**
 * Even labels of many bases, computed when first asked for. Keeps at most `maxLabels` labels over all bases, but always those of one base;
 * what was not asked for during half of that is forgotten.
 */
export function createLabelCache(count: number, hashVersion: 1 | 2, maxLabels: number = MAX_LABELS): LabelsOf {
  // two generations instead of an order by last use: a hit in the young one costs a single look-up
  const generationSize = Math.max(1, Math.floor(maxLabels / count / 2))
  let young = new Map<string, Int32Array>()
  let old = new Map<string, Int32Array>()

  function keep(prefix: string, labels: Int32Array): Int32Array {
    if (young.size >= generationSize) {
      old = young
      young = new Map()
    }
    young.set(prefix, labels)
    return labels
  }

  return (prefix) => young.get(prefix) ?? keep(prefix, old.get(prefix) ?? evenLabels(prefix, count, hashVersion))
}
