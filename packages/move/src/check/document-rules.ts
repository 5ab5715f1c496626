import { pointerOfPath } from '@keystamp/cosmos'
import { type CheckContext, type CheckRule, finding } from './check-rule.ts'
import type { CheckFinding } from './move-check.ts'
import { valueOf } from './move-facts.ts'
import { bytesText, countText, listText, percentText, plural } from './quantity.ts'

/** Findings about what the plan does to documents. */
export const DOCUMENT_RULES: readonly CheckRule[] = [
  rejected,
  collisions,
  collisionsPossible,
  largeKey,
  tornTransactions,
  uniqueKeys,
  newIds
]

function rejected({ facts: { sample } }: CheckContext): CheckFinding | undefined {
  const found = valueOf(sample)
  const count = found?.rejected.reduce((sum, { documents }) => sum + documents, 0) ?? 0
  if (found === undefined || count === 0) return undefined
  const codes = found.rejected.map(({ code, documents }) => `${code} ${percentText(documents / found.documents)}`)
  return finding(
    'documents-rejected',
    count === found.documents ? 'stops' : 'needs confirmation',
    `The plan rejects ${countText(count)} of ${plural(found.documents, 'document')} in the sample (${codes.join(', ')}): ${found.rejected[0].message}`,
    'Change the plan (such as `"missing": { "use": "none" }` of a field), or repair the documents: rejected documents are not copied, and the switch waits until there are none.'
  )
}

function collisions({ facts: { sample, plan } }: CheckContext): CheckFinding | undefined {
  const found = valueOf(sample)
  if (found === undefined || found.collisions === 0) return undefined
  return finding(
    'collisions',
    'stops',
    `${plural(found.collisions, 'document')} of the sample would get a new key and id that another document has, too: one of them would be lost.`,
    plan.makesIds
      ? 'Add a field to the new id that tells these documents apart.'
      : 'Add a field of the old key to the new key, or to a new id.'
  )
}

function collisionsPossible({ facts: { sample, plan, source } }: CheckContext): CheckFinding | undefined {
  const found = valueOf(sample)
  if (plan.oldKey === 'kept' || (found !== undefined && found.collisions > 0)) return undefined
  const paths = listText(source.definition.partitionKey.paths.map(pointerOfPath))
  const why = plan.makesIds
    ? 'The plan makes new ids, which two documents could share with the same new key'
    : plan.oldKey === 'as-text'
      ? `Two documents with the same id would get the same new key if ${paths} is a number in one, and the same digits as a string in the other`
      : `The plan does not keep ${paths} in the new key, so two documents with the same id could get the same new key`
  return finding(
    'collisions-possible',
    'note',
    `${why}${found === undefined ? '' : `; none of the ${plural(found.documents, 'document')} in the sample do`}.`,
    'The copy finds such documents, writes them to the file of rejected documents, and replaces none of them.'
  )
}

const MAX_KEY_BYTES = 20e9
/** Part of the limit from which on a key is near it. */
const NEAR_LIMIT = 0.8
/** Standard deviations of the lower bound of a share. */
const DEVIATIONS = 2

function largeKey({ facts: { sample, source } }: CheckContext): CheckFinding | undefined {
  const key = valueOf(sample)?.largestKey
  const bytes = valueOf(source.bytes)
  if (key === undefined || key === null || bytes === undefined) return undefined
  const size = key.share * bytes
  // one document of a key says nothing about the size of the key
  if (size < NEAR_LIMIT * MAX_KEY_BYTES || key.documents < 2) return undefined
  const atLeast = size * Math.max(0, 1 - DEVIATIONS / Math.sqrt(key.documents))
  const isAbove = atLeast >= MAX_KEY_BYTES
  return finding(
    'key-near-20-gb',
    isAbove ? 'stops' : 'needs confirmation',
    `The largest new key (hash ${key.hash}) has ${percentText(key.share)} of the sampled data, which is ${bytesText(size)}: a logical partition holds at most ${bytesText(MAX_KEY_BYTES)}.`,
    'Add a field to the key, a suffix, or a further level.'
  )
}

function tornTransactions({ facts: { sample } }: CheckContext): CheckFinding | undefined {
  const found = valueOf(sample)
  if (found === undefined || found.tornKeys === 0) return undefined
  return finding(
    'transactions-torn',
    'needs confirmation',
    `${percentText(found.tornKeys / found.sharedKeys)} of the old keys with several documents in the sample have documents of several new keys: transactional batches and stored procedures no longer include all of them.`,
    'Confirm that no transaction needs the documents of an old key together, or choose a key that keeps them together.'
  )
}

function uniqueKeys({ facts: { sample, source, target } }: CheckContext): CheckFinding | undefined {
  const { uniqueKeys: keys } = (target ?? source).definition
  if (keys.length === 0) return undefined
  const texts = keys.map((paths) => paths.join(' with '))
  const conflicts = valueOf(sample)?.uniqueConflicts ?? 0
  const refused =
    conflicts === 0
      ? ''
      : ` The target would refuse ${plural(conflicts, 'document')} of the sample, because another one with the same new key has the same values.`
  return finding(
    'unique-keys',
    'needs confirmation',
    `The unique keys (${listText(texts)}) hold among the documents of one key: after the move, the values are unique for each new key, and no longer for each old key.${refused}`,
    conflicts === 0
      ? 'Confirm that the applications do not rely on the former meaning.'
      : 'Create the target without these unique keys, or repair the documents.'
  )
}

function newIds({ facts: { plan } }: CheckContext): CheckFinding | undefined {
  if (!plan.makesIds) return undefined
  return finding(
    'new-ids',
    'needs confirmation',
    'The plan gives documents other ids: references to the old ids, in other documents and in applications, no longer find them.',
    'Confirm that nothing refers to an id, or leave `id` out of the plan.'
  )
}
