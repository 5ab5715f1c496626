import { type CheckContext, type CheckRule, finding } from './check-rule.ts'
import type { CheckFinding } from './move-check.ts'
import { type Scripts, valueOf } from './move-facts.ts'
import { bytesText, durationText, listText } from './quantity.ts'

/** Findings about deletes, changes of the key, the way back, and what a copy never has. */
export const FEED_RULES: readonly CheckRule[] = [
  deletesUnseen,
  keyChangesUnseen,
  deletesBySweep,
  largeIndex,
  shortRetention,
  backLosesDocuments,
  scriptsNotCopied,
  hashVersionChanges,
  systemProperties
]

function deletesUnseen({ deletes }: CheckContext): CheckFinding | undefined {
  if (deletes.seenBy !== 'none') return undefined
  return finding(
    'deletes-unseen',
    'needs confirmation',
    deletes.sentence,
    'Leave the comparison on, turn on the change feed of all versions and deletes (for the account, which needs continuous backup), or confirm that nothing is deleted.'
  )
}

function keyChangesUnseen({ keyChanges, facts: { plan } }: CheckContext): CheckFinding | undefined {
  if (keyChanges.seenBy !== 'none') return undefined
  return finding(
    'key-changes-unseen',
    'needs confirmation',
    keyChanges.sentence,
    `Leave the comparison on, keep the index of identities, or confirm that ${listText(plan.fields)} never change.`
  )
}

function deletesBySweep({ deletes }: CheckContext): CheckFinding | undefined {
  if (deletes.seenBy !== 'sweep') return undefined
  return finding(
    'deletes-by-sweep',
    'note',
    'Deletes in the source are seen only when the containers are compared.',
    'Nothing needs to be done. With the change feed of all versions and deletes (for the account, which needs continuous backup), deletes would be seen at once.'
  )
}

/** Limit of the log of the index. */
const MAX_INDEX_BYTES = 32 * 2 ** 30
/** A log is cleaned when it has twice the bytes of its entries. */
const SAFE_INDEX_BYTES = MAX_INDEX_BYTES / 2
const SAFE_MEMORY_BYTES = 1e9

function largeIndex({ keyChanges }: CheckContext): CheckFinding | undefined {
  const { indexDiskBytes, indexMemoryBytes } = keyChanges
  const [disk, memory] = [indexDiskBytes ?? 0, indexMemoryBytes ?? 0]
  if (disk <= SAFE_INDEX_BYTES && memory <= SAFE_MEMORY_BYTES) return undefined
  return finding(
    'index-large',
    disk > MAX_INDEX_BYTES ? 'stops' : 'needs confirmation',
    `The index of identities takes up to ${bytesText(memory)} of memory, and ${indexDiskBytes === null ? 'an unknown size' : `about ${bytesText(disk)}`} on the disk, where it can have ${bytesText(MAX_INDEX_BYTES)}.`,
    'Choose a plan whose key follows from the old key and the id, turn on previous images in the source, or move without the index: former copies are then found when the containers are compared.'
  )
}

/** Part of the retention up to which a copy is safe. */
const SAFE_PART = 0.8

function shortRetention({ deletes, estimate, facts: { source } }: CheckContext): CheckFinding | undefined {
  const minutes = valueOf(source.versionsFeed)?.retentionMinutes ?? null
  if (deletes.seenBy !== 'versions' || minutes === null || estimate.seconds === null) return undefined
  if (estimate.seconds <= SAFE_PART * minutes * 60) return undefined
  return finding(
    'retention-short',
    'needs confirmation',
    `The copy takes ${durationText(estimate.seconds)}, but the change feed of all versions and deletes goes back only ${durationText(minutes * 60)}: deletes at the beginning of the copy may be found only by a comparison.`,
    'Lengthen the retention of the continuous backup, or give higher shares with --share-from and --share-to.'
  )
}

function backLosesDocuments({ back, facts: { source } }: CheckContext): CheckFinding | undefined {
  if (back.basis === 'identity') return undefined
  return finding(
    'back-loses-documents',
    'note',
    `After the switch, keystamp rekey back can return only documents that have ${listText(source.definition.partitionKey.paths)}.`,
    'Let the applications write these fields into new documents until keystamp rekey finish.'
  )
}

function scriptsNotCopied({ facts: { source, target } }: CheckContext): CheckFinding | undefined {
  const scripts = valueOf(source.scripts)
  if (scripts === undefined) return undefined
  const there = target === null ? undefined : valueOf(target.scripts)
  const missing = KINDS.flatMap(([kind, name]) => {
    const names = scripts[kind].filter((each) => !(there?.[kind].includes(each) ?? false))
    return names.length === 0 ? [] : [`${name} ${listText(names)}`]
  })
  if (missing.length === 0) return undefined
  return finding(
    'scripts-not-copied',
    'needs confirmation',
    `A move copies documents only. The target does not have: ${missing.join('; ')}.`,
    'Create them in the target before the switch. A stored procedure sees the documents of one key, which is now the new one.'
  )
}

const KINDS: readonly (readonly [keyof Scripts, string])[] = [
  ['storedProcedures', 'stored procedures'],
  ['triggers', 'triggers'],
  ['functions', 'user-defined functions']
]

function hashVersionChanges({ facts: { source, target, plan } }: CheckContext): CheckFinding | undefined {
  const { version, kind } = source.definition.partitionKey
  const next = target === null ? plan.hashVersion : target.definition.partitionKey.version
  if (version === next || kind === 'MultiHash') return undefined
  return finding(
    'hash-version-changes',
    'note',
    `The source hashes keys by version ${version}, the target by version ${next}.`,
    next === 2
      ? 'Nothing needs to be done: version 2 hashes the whole key, version 1 only its first 100 characters.'
      : 'Use version 2 in the plan and in the target: version 1 hashes only the first 100 characters of a key.'
  )
}

function systemProperties(): CheckFinding {
  return finding(
    'system-properties-change',
    'note',
    'Copies get new values of `_etag`, `_ts` and `_rid`.',
    'Conditional writes with a saved ETag fail once after the switch, queries by `_ts` see the time of the copy, and readers of the change feed of the target see every copy.'
  )
}
