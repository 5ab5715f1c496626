import { join } from 'node:path'
import type { ContainerDefinition } from '@keystamp/cosmos'
import type { TargetIndex } from '../copy/target-index.ts'
import type { DocumentMapper } from '../documents/document-mapper.ts'
import type { Direction, Journal } from '../journal/journal.ts'
import { openFileTargetIndex } from './file-target-index.ts'

/** A direction of a move, as far as it decides whether an index is needed. */
export interface IndexedSide {
  readonly mapper: Pick<DocumentMapper, 'basis'>
  readonly source: { readonly name: string; readonly definition: ContainerDefinition }
  readonly readsVersions: boolean
}

/**
 * The directions in which the feed of all versions and deletes has the former version of every changed document, so that
 * no index of identities is needed.
 */
export function directionsWithImages(sides: Readonly<Record<Direction, IndexedSide>>): readonly Direction[] {
  return DIRECTIONS.filter((direction) => {
    const { mapper, source, readsVersions } = sides[direction]
    return mapper.basis === 'fields' && readsVersions && source.definition.previousImages === 'all'
  })
}

const DIRECTIONS: readonly Direction[] = ['forward', 'back']

/** Opens the identity indexes of a move in the folder of its journal, where the move has begun with them. */
export function openIndexes(
  folder: string,
  journal: Pick<Journal, 'state'>,
  sides: Readonly<Record<Direction, IndexedSide>>
): Readonly<Record<Direction, TargetIndex | undefined>> {
  const { begin, ranges } = journal.state()
  // there may be copies whose places must be in the indexes: both have those of both directions
  const mustExist = ranges.forward.length > 0
  const open = (direction: Direction): TargetIndex | undefined =>
    sides[direction].mapper.basis === 'fields' && begin?.images?.includes(direction) !== true
      ? openFileTargetIndex(join(folder, `index-${direction}`), { mustExist })
      : undefined
  return { forward: open('forward'), back: open('back') }
}

/** Warning about a change without a former version, in a direction that began with previous images. */
export function imageMissing({ name }: { readonly name: string }): string {
  return `The change feed of ${name} has a change without the former version of the document, although the container kept previous images when the move began. A copy under a former key is found when the containers are compared.`
}
