import { parseIndexPath } from '../charge/index-policy.ts'
import { parsePropertyPath } from '../partition/partition-key.ts'
import {
  type ComputedProperty,
  isGrouping,
  parseComputedProperty,
  type Query,
  sortKeysOf,
  toDistanceFunction,
  type VectorPolicy
} from '../query/index.ts'
import { refuseUnless, ServiceError } from '../service-error.ts'
import type { Container } from '../store/container.ts'
import type { ContainerDefinition } from '../store/container-definition.ts'
import { parseCompositeIndexes } from '../store/indexed-properties.ts'
import { refusalOf } from './querier.ts'

/** Refuses a container whose computed properties have queries without meaning, or the name of a partition key. */
export function checkComputedProperties(definition: ContainerDefinition): void {
  for (const { name } of definition.computedProperties ?? []) {
    const isKey = definition.partitionKey.paths.some((path) => parsePropertyPath(path)?.[0] === name)
    refuseUnless(!isKey, `The name '${name}' of a computed property is the name of a partition key.`)
  }
  try {
    computedOf(definition)
  } catch (error) {
    throw refusalOf(error)
  }
}

/** The computed properties of a container by their names. */
function computedOf(definition: ContainerDefinition): ReadonlyMap<string, ComputedProperty> {
  const known = parsed.get(definition)
  if (known !== undefined) return known
  const properties = definition.computedProperties ?? []
  const computed = new Map(properties.map(({ name, query }) => [name, parseComputedProperty(name, query)]))
  parsed.set(definition, computed)
  return computed
}

const parsed: WeakMap<ContainerDefinition, ReadonlyMap<string, ComputedProperty>> = new WeakMap()

/** The computed properties and the vectors of a container. */
export function propertiesOf(definition: ContainerDefinition): {
  readonly computed: ReadonlyMap<string, ComputedProperty>
  readonly vectors: VectorPolicy
} {
  return { computed: computedOf(definition), vectors: vectorsOf(definition) }
}

/** The distance functions of the vectors of a container. */
export function vectorsOf({ vectorEmbeddingPolicy }: ContainerDefinition): VectorPolicy {
  const embeddings = vectorEmbeddingPolicy?.vectorEmbeddings ?? []
  return new Map(
    embeddings.flatMap(({ path, distanceFunction }) => {
      const known = toDistanceFunction(distanceFunction)
      return known === undefined ? [] : [[JSON.stringify(parsePropertyPath(path)), known]]
    })
  )
}

/** Refuses a query whose ORDER BY needs an index that the container does not have. */
export function refuseUnsortable({ definition }: Container, query: Query): void {
  if (query.orderBy.length === 0 || isGrouping(query)) return
  const { indexingPolicy } = definition
  const keys = sortKeysOf(query)
  if (keys.length === 1) {
    const [name] = keys[0].path ?? []
    const isMissing = name !== undefined && computedOf(definition).has(name) && !isIncluded(name, indexingPolicy)
    if (isMissing) throw new ServiceError(400, NO_RANGE_INDEX)
    return
  }
  const composites = parseCompositeIndexes(indexingPolicy['compositeIndexes'])
  const isServed = composites.some((paths) => {
    if (paths.length !== keys.length) return false
    const isSamePath = paths.every(({ names }, at) => isSame(names, keys[at].path))
    // an index also serves the opposite order of all its paths
    const turned = paths.filter(({ isDescending }, at) => isDescending !== keys[at].isDescending).length
    return isSamePath && (turned === 0 || turned === keys.length)
  })
  if (!isServed) throw new ServiceError(400, NO_COMPOSITE_INDEX)
}

const NO_COMPOSITE_INDEX =
  'The order by query does not have a corresponding composite index that it can be served from.'
const NO_RANGE_INDEX = 'The order-by item requires a range index to be defined on the corresponding index path.'

function isSame(names: readonly string[], path: readonly string[] | undefined): boolean {
  return path !== undefined && names.length === path.length && names.every((name, at) => name === path[at])
}

// wildcards of the whole item do not include computed properties
function isIncluded(name: string, { includedPaths }: ContainerDefinition['indexingPolicy']): boolean {
  return includedPaths.some(({ path }) => parseIndexPath(path)?.names[0] === name)
}
