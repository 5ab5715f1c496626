import { parseIndexPath } from '../charge/index-policy.ts'
import { isObject, refuseUnless } from '../service-error.ts'
import { SYSTEM_PROPERTIES } from './document.ts'

/** A property that a container computes from each item by a query. */
export interface ComputedPropertyText {
  readonly name: string
  readonly query: string
}

/** Reads `computedProperties` of a container, except for the meaning of their queries; undefined if there are none. */
export function parseComputedProperties(value: unknown): readonly ComputedPropertyText[] | undefined {
  if (value === undefined || value === null) return undefined
  refuseUnless(Array.isArray(value), "The property 'computedProperties' must be an array.")
  refuseUnless(value.length <= MAX_COMPUTED, `A container has at most ${MAX_COMPUTED} computed properties.`)
  const properties = value.map(parseComputedProperty)
  const names = properties.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  refuseUnless(twice === undefined, `The name '${twice}' is given to two computed properties.`)
  return properties.length === 0 ? undefined : properties
}

const MAX_COMPUTED = 20

function parseComputedProperty(value: unknown): ComputedPropertyText {
  const { name, query } = isObject(value) ? value : {}
  const isPair = typeof name === 'string' && name !== '' && typeof query === 'string'
  refuseUnless(isPair, "A computed property has a 'name' and a 'query', both strings.")
  const isReserved = name === 'id' || SYSTEM_PROPERTIES.includes(name)
  refuseUnless(!isReserved, `The name '${name}' of a computed property is the name of a system property.`)
  return { name, query }
}

/** A path of a composite index. */
interface CompositePath {
  readonly names: readonly string[]
  readonly isDescending: boolean
}

/** Reads the composite indexes of an indexing policy. */
export function parseCompositeIndexes(value: unknown): readonly (readonly CompositePath[])[] {
  if (value === undefined || value === null) return []
  refuseUnless(Array.isArray(value), "The property 'indexingPolicy.compositeIndexes' must be an array.")
  return value.map((index: unknown) => {
    const isIndex = Array.isArray(index) && index.length >= 2 && index.length <= MAX_PATHS
    refuseUnless(isIndex, `A composite index has 2 to ${MAX_PATHS} paths.`)
    return (index as unknown[]).map(parseCompositePath)
  })
}

const MAX_PATHS = 8

function parseCompositePath(value: unknown): CompositePath {
  const { path, order = 'ascending' } = isObject(value) ? value : {}
  const parsed = typeof path === 'string' ? parseIndexPath(path) : undefined
  const isPlain = parsed?.end === '' && !parsed.names.includes('[]')
  refuseUnless(
    isPlain,
    `The path ${JSON.stringify(path)} of a composite index is not valid: paths begin with '/' and have no wildcard.`
  )
  const isOrder = order === 'ascending' || order === 'descending'
  refuseUnless(isOrder, "The order of a path of a composite index must be 'ascending' or 'descending'.")
  return { names: parsed.names, isDescending: order === 'descending' }
}
