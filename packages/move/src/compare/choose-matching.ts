import { type ContainerDefinition, pointerOfPath } from '@keystamp/cosmos'
import type { DocumentMapper } from '../documents/document-mapper.ts'
import { createPlainMapper } from '../documents/plain-mapper.ts'
import {
  createFieldValues,
  type DocumentMatching,
  matchByFields,
  matchByKey,
  matchByPlan,
  ownKey
} from './document-matching.ts'

export interface MatchingOptions {
  readonly source: ContainerDefinition
  readonly target: ContainerDefinition
  /** The plan that made the target from the source. */
  readonly mapper: Pick<DocumentMapper, 'map' | 'sourceOf'> | undefined
  /** JSON pointers of the fields that identify a document. Default: the key of the source, and the id. */
  readonly by: readonly string[] | undefined
  /** JSON pointers of properties that do not count. */
  readonly ignore: readonly string[]
  /** Milliseconds since 1970. */
  readonly wallMs: () => number
}

/** How documents belong together, and what makes the copies; undefined if nothing tells their keys. */
export interface ChosenMatching {
  readonly matching: DocumentMatching
  readonly mapper: Pick<DocumentMapper, 'map'> | undefined
}

/** Chooses how to find the documents of two containers that belong together. */
export function chooseMatching({ source, target, mapper, by, ignore, wallMs }: MatchingOptions): ChosenMatching {
  const [sourcePaths, targetPaths] = [source, target].map(({ partitionKey }) => partitionKey.paths.map(pointerOfPath))
  const isByKey = by === undefined || isSameSet(by, [...sourcePaths, '/id'])
  if (!isByKey) return { matching: matchByFields(createFieldValues(by), by, mapper, wallMs), mapper }
  if (mapper !== undefined) return { matching: matchByPlan(mapper, sourcePaths, wallMs), mapper }
  const hasSameKey = sourcePaths.join() === targetPaths.join()
  // the fields of the key of the target are stamped, so documents of the source do not have them
  const isStamped = targetPaths.some((path) => ignore.some((pointer) => isWithin(path, pointer)))
  const sourceKey = hasSameKey ? ownKey : createFieldValues(sourcePaths)
  if (isStamped && !hasSameKey) return { matching: matchByKey(sourceKey, undefined, sourcePaths), mapper: undefined }
  const targetKey = hasSameKey ? ownKey : createFieldValues(targetPaths)
  return { matching: matchByKey(sourceKey, targetKey, sourcePaths), mapper: createPlainMapper(targetKey) }
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each) => other.includes(each))
}

function isWithin(path: string, pointer: string): boolean {
  return path === pointer || path.startsWith(`${pointer}/`)
}
