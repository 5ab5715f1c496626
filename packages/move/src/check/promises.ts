import type { BackPromise, DeletePromise, KeyChangePromise, PlanPromise } from './move-check.ts'
import { type CheckedContainer, type Fact, type MoveFacts, valueOf, type VersionsFeed } from './move-facts.ts'
import { durationText, listText } from './quantity.ts'

/** Says from what key and id of a new document follow. */
export function promiseOfPlan({ plan }: MoveFacts): PlanPromise {
  const { basis, fields } = plan
  const sentence =
    basis === 'identity'
      ? 'Key and id of a new document follow from key and id of the old one.'
      : `Key and id of a new document depend on other fields, too: ${listText(fields)}.`
  return { basis, fields, sentence }
}

/** Says how the move sees changes of the fields from which the new key follows. */
export function promiseOfKeyChanges(facts: MoveFacts): KeyChangePromise {
  const { plan, source, options } = facts
  const fields = listText(plan.fields)
  const none = { indexDiskBytes: null, indexMemoryBytes: null }
  if (plan.basis === 'identity')
    return {
      ...none,
      seenBy: 'identity',
      sentence: 'A document never changes to another new key, because its old key and its id cannot change.',
      otherwise: 'There is no other case.'
    }
  const images = options.readsVersions ? previousImagesOf(source) : null
  // without those of deletes, the move keeps an index, which tells the former keys, too
  if (images === 'all' || (images === 'replaces' && !options.keepsIndex))
    return {
      ...none,
      seenBy: 'previous-images',
      sentence: `A change of ${fields} moves the document: the source keeps previous images, which tell the former key, and the copy there is deleted.`,
      otherwise:
        'Previous images count only where the answers have them: without one, the former copy is found when the containers are compared.'
    }
  if (options.keepsIndex)
    return {
      ...indexSizes(facts),
      seenBy: 'identity-index',
      sentence: `A change of ${fields} moves the document: an index of identities in the journal tells the former key, and the copy there is deleted.`,
      otherwise: 'Without the folder of the journal, the move has to begin again.'
    }
  return options.sweeps
    ? {
        ...none,
        seenBy: 'sweep',
        sentence: `After a change of ${fields}, the former copy stays until the containers are compared, at the latest before the switch.`,
        otherwise: 'Until then, the target has this document twice, under its former and its new key.'
      }
    : {
        ...none,
        seenBy: 'none',
        sentence: `After a change of ${fields}, the former copy is not found.`,
        otherwise: 'The target then has this document twice, under its former and its new key.'
      }
}

/** Says how deletes in the source reach the target. */
export function promiseOfDeletes(facts: MoveFacts): DeletePromise {
  const { plan, source, options } = facts
  if (!options.readsVersions && options.sweeps)
    return {
      seenBy: 'sweep',
      sentence:
        'With --deletes compare, documents that are deleted in the source are found when the containers are compared, at the latest before the switch.',
      otherwise: 'Until then, the target has documents that the source no longer has.'
    }
  const images = previousImagesOf(source)
  const isFound = plan.basis === 'identity' || images === 'all' || images === 'deletes' || options.keepsIndex
  return deletesFrom('source', source.versionsFeed, isFound, options.sweeps)
}

function deletesFrom(
  side: 'source' | 'target',
  feed: Fact<VersionsFeed>,
  isFound: boolean,
  sweeps: boolean
): DeletePromise {
  const other = side === 'source' ? 'target' : 'source'
  const known = valueOf(feed)
  if (known?.isOn === true && isFound) {
    const { retentionMinutes } = known
    const retention = retentionMinutes === null ? 'its retention' : durationText(retentionMinutes * 60)
    return {
      seenBy: 'versions',
      sentence: `The change feed of all versions and deletes tells every delete in the ${side}; a read of the ${side} confirms it before the document in the ${other} is deleted.`,
      otherwise: sweeps
        ? `After a pause longer than ${retention}, deletes are found when the containers are compared.`
        : `After a pause longer than ${retention}, deletes of the pause are not seen.`
    }
  }
  const why =
    known === undefined
      ? `Whether the ${side} has a change feed of all versions and deletes is unknown`
      : known.isOn
        ? 'A delete does not tell where the copy is'
        : `The ${side} has no change feed of all versions and deletes`
  return sweeps
    ? {
        seenBy: 'sweep',
        sentence: `${why}: documents that are deleted in the ${side} are found when the containers are compared, at the latest before the ${side === 'source' ? 'switch' : 'return'}.`,
        otherwise: `Until then, the ${other} has documents that the ${side} no longer has.`
      }
    : {
        seenBy: 'none',
        sentence: `${why}, and the containers are not compared: deletes in the ${side} are not seen.`,
        otherwise: `Documents that are deleted in the ${side} during the move stay in the ${other}.`
      }
}

/** Says what the way back needs. */
export function promiseOfBack(facts: MoveFacts): BackPromise {
  const { plan, target, source, options } = facts
  const oldPaths = source.definition.partitionKey.paths
  const basis = plan.reverseBasis
  const feed: Fact<VersionsFeed> = target?.versionsFeed ?? { unknown: 'The target does not exist yet.' }
  const images = target === null ? null : previousImagesOf(target)
  const isFound = basis === 'identity' || images === 'all' || images === 'deletes' || options.keepsIndex
  const deletes = deletesFrom('target', feed, isFound, options.sweeps)
  const isKnown = basis === 'identity'
  return {
    basis,
    sentence: isKnown
      ? 'Old key and id follow from the new key and id.'
      : `The old key depends on fields of the document: ${oldPaths.join(', ')}.`,
    deletes,
    needs: [
      ...(isKnown
        ? []
        : [
            `New documents need ${listText(oldPaths)}: keystamp rekey back writes others to the file of rejected documents, and does not switch while there are any.`
          ]),
      ...(isKnown || images === 'all' || !options.keepsIndex
        ? []
        : ['An index of identities of the target, of about the same size as that of the source.']),
      ...(deletes.seenBy === 'versions'
        ? []
        : ['A comparison of both containers before the return, because no feed tells the deletes in the target.'])
    ]
  }
}

function previousImagesOf({ versionsFeed }: CheckedContainer): VersionsFeed['previousImages'] {
  const feed = valueOf(versionsFeed)
  return feed?.isOn === true ? feed.previousImages : null
}

/** Maximum bytes of an entry of the index in memory. */
const TABLE_BYTES = 12

function indexSizes({ source, sample }: MoveFacts): Pick<KeyChangePromise, 'indexDiskBytes' | 'indexMemoryBytes'> {
  const documents = valueOf(source.documents)
  const entryBytes = valueOf(sample)?.meanEntryBytes
  if (documents === undefined) return { indexDiskBytes: null, indexMemoryBytes: null }
  return {
    indexDiskBytes: entryBytes === undefined ? null : Math.round(documents * entryBytes),
    indexMemoryBytes: documents * TABLE_BYTES
  }
}
