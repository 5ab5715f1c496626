import { pointerOfPath } from '@keystamp/cosmos'
import { type CheckContext, type CheckRule, finding } from './check-rule.ts'
import type { CheckFinding } from './move-check.ts'
import { targetThroughputOf } from './estimate.ts'
import { valueOf } from './move-facts.ts'
import { countText, listText, plural } from './quantity.ts'

/** Findings about the target. */
export const TARGET_RULES: readonly CheckRule[] = [
  sameContainer,
  missing,
  keyDiffers,
  hashVersionDiffers,
  notEmpty,
  neverExpires,
  settingsDiffer,
  fewPartitions,
  sharedThroughput,
  writeRegions
]

function sameContainer({ facts: { source, target } }: CheckContext): CheckFinding | undefined {
  if (target?.name !== source.name) return undefined
  return finding(
    'same-container',
    'stops',
    `Source and target are the same container: ${source.name}.`,
    'Name another container as the target: the key of a container cannot be changed in place.'
  )
}

function missing({ facts: { target, targetName, options } }: CheckContext): CheckFinding | undefined {
  if (target !== null || options.creates) return undefined
  return finding(
    'target-missing',
    'stops',
    `There is no container ${targetName}.`,
    'Create it by the recipe below, or add --create.'
  )
}

function keyDiffers({ facts: { target, plan } }: CheckContext): CheckFinding | undefined {
  if (target === null) return undefined
  const paths = target.definition.partitionKey.paths.map(pointerOfPath)
  if (JSON.stringify(paths) === JSON.stringify(plan.keyPaths)) return undefined
  return finding(
    'target-key-differs',
    'stops',
    `The plan writes its key into ${listText(plan.keyPaths)}, but the partition key of the target is ${listText(paths)}.`,
    'Change `into` in the plan, or use another target: the partition key of a container cannot be changed.'
  )
}

function hashVersionDiffers({ facts: { target, plan } }: CheckContext): CheckFinding | undefined {
  if (target === null) return undefined
  const { version, kind } = target.definition.partitionKey
  // a hierarchical key always has version 2
  if (version === plan.hashVersion || kind === 'MultiHash') return undefined
  return finding(
    'hash-version-differs',
    'stops',
    `The plan is made for hash version ${plan.hashVersion}, but the target has hash version ${version}.`,
    `Write "hashVersion": ${version} into the plan.`
  )
}

function notEmpty({ facts: { target } }: CheckContext): CheckFinding | undefined {
  const documents = target === null ? undefined : valueOf(target.documents)
  if (documents === undefined || documents === 0) return undefined
  return finding(
    'target-not-empty',
    'needs confirmation',
    `The target already has ${plural(documents, 'document')}.`,
    'Copies replace documents with the same key and id, and the first comparison deletes all documents that the source does not have: use an empty container, or confirm if only an earlier run of this move wrote them.'
  )
}

function neverExpires({ facts: { source, target, sample } }: CheckContext): CheckFinding | undefined {
  const { defaultTtl } = source.definition
  if (target === null || defaultTtl === undefined || target.definition.defaultTtl !== undefined) return undefined
  if (defaultTtl === -1 && valueOf(sample)?.mortal === 0) return undefined
  return finding(
    'target-never-expires',
    'needs confirmation',
    'Documents of the source expire, but the target has no DefaultTimeToLive: it ignores `ttl`, and keeps the copies forever.',
    `Set the DefaultTimeToLive of the target to ${defaultTtl}.`
  )
}

/** Settings that Cosmos DB gives a container itself, or that other findings are about. */
const OTHER_SETTINGS: ReadonlySet<string> = new Set(['defaultTtl', 'changeFeedPolicy', 'previousImageRetentionPolicy'])

function settingsDiffer({ facts: { source, target } }: CheckContext): CheckFinding | undefined {
  if (target === null) return undefined
  const names = [...new Set([...Object.keys(source.settings), ...Object.keys(target.settings)])].filter(
    (name) => !OTHER_SETTINGS.has(name) && canonical(source.settings[name]) !== canonical(target.settings[name])
  )
  if (names.length === 0) return undefined
  const isIndexing = names.includes('indexingPolicy')
  return finding(
    'target-settings-differ',
    'needs confirmation',
    `Source and target differ in ${listText(names.toSorted())}${isIndexing ? ', so queries may cost more in the target, or fail' : ''}.`,
    'Take them from the definition below, or confirm that they are meant to differ. The unique keys of a container cannot be changed after its creation.'
  )
}

/** JSON with sorted names, so that equal settings have equal texts. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each
  )
}

function fewPartitions({ facts: { target, recipe } }: CheckContext): CheckFinding | undefined {
  if (target === null || target.partitions >= recipe.partitions) return undefined
  return finding(
    'target-partitions-few',
    'note',
    `The target has ${plural(target.partitions, 'physical partition')}, but the data needs ${countText(recipe.partitions)}: the copy waits for splits, which take hours.`,
    recipe.createRuPerSecond === null
      ? 'Begin the move anyway: it continues during and after the splits.'
      : `Raise the throughput of the target to ${countText(recipe.createRuPerSecond)} RU/s before the copy, wait for the splits, and lower it after the move.`
  )
}

function sharedThroughput({ facts }: CheckContext): CheckFinding | undefined {
  const sides = [
    ...(valueOf(facts.source.throughput)?.isShared === true ? ['source'] : []),
    ...(targetThroughputOf(facts)?.isShared === true ? ['target'] : [])
  ]
  if (sides.length === 0) return undefined
  return finding(
    'throughput-shared',
    'needs confirmation',
    `The ${listText(sides)} ${sides.length === 1 ? 'shares its' : 'share their'} throughput with the other containers of the database, so the copy slows them down, too.`,
    'Give lower shares with --share-from and --share-to.'
  )
}

function writeRegions({ facts: { source, target, options } }: CheckContext): CheckFinding | undefined {
  const sides = [...(source.hasWriteRegions ? ['source'] : []), ...(target?.hasWriteRegions === true ? ['target'] : [])]
  if (sides.length === 0) return undefined
  const accounts = `${sides.length === 1 ? 'The account' : 'The accounts'} of the ${listText(sides)}`
  return options.isFenced
    ? finding(
        'write-regions',
        'stops',
        `${accounts} ${sides.length === 1 ? 'has' : 'have'} several write regions, where a marker of --fence does not stop a create in another region.`,
        'Leave --fence out, or let one region of the account accept writes.'
      )
    : finding(
        'write-regions',
        'needs confirmation',
        `${accounts} ${sides.length === 1 ? 'has' : 'have'} several write regions: the move reads and writes one of them, changes in the others reach it later, and conflicts are decided by the account.`,
        'Let the applications write in one region from some minutes before the switch until keystamp rekey finish.'
      )
}
