import { parsePropertyPath } from '../partition/partition-key.ts'
import { isObject, refuseUnless, ServiceError } from '../service-error.ts'

/** A vector of the items of a container. */
export interface VectorEmbedding {
  readonly path: string
  readonly dataType: string
  readonly dimensions: number
  readonly distanceFunction: string
}

const DATA_TYPES: readonly string[] = ['float32', 'float16', 'int8', 'uint8']
const DISTANCE_FUNCTIONS: readonly string[] = ['cosine', 'dotproduct', 'euclidean']
const MAX_DIMENSIONS = 4096
const MAX_FLAT_DIMENSIONS = 505
const MAX_QUANTIZATION_BYTES = 512

/** Reads `vectorEmbeddingPolicy`; undefined if there is none. */
export function parseVectorEmbeddings(policy: unknown): readonly VectorEmbedding[] | undefined {
  if (policy === undefined || policy === null) return undefined
  const embeddings = isObject(policy) ? policy['vectorEmbeddings'] : undefined
  refuseUnless(Array.isArray(embeddings), "The property 'vectorEmbeddingPolicy.vectorEmbeddings' must be an array.")
  const parsed = embeddings.map(parseEmbedding)
  const paths = parsed.map(({ path }) => path)
  const twice = paths.find((path, at) => paths.indexOf(path) !== at)
  refuseUnless(twice === undefined, `The Vector Embedding Policy has the path '${twice}' twice.`)
  return parsed
}

function parseEmbedding(embedding: unknown): VectorEmbedding {
  refuseUnless(isObject(embedding), 'A vector embedding must be an object.')
  const { path, dataType, dimensions, distanceFunction } = embedding
  const isPath = typeof path === 'string' && parsePropertyPath(path) !== undefined
  refuseUnless(isPath, `The Vector Embedding Policy has an invalid Path: ${JSON.stringify(path)}.`)
  refuseUnless(
    typeof dataType === 'string' && DATA_TYPES.includes(dataType.toLowerCase()),
    `The Vector Embedding Policy has an invalid DataType:${String(dataType)}. It must be one of ${DATA_TYPES.join(', ')}.`
  )
  refuseUnless(
    typeof dimensions === 'number' && Number.isInteger(dimensions) && dimensions > 0,
    `The Vector Embedding Policy has Dimensions:${String(dimensions)}, which must be a positive whole number.`
  )
  refuseUnless(
    dimensions <= MAX_DIMENSIONS,
    `The Vector Embedding Policy has Dimensions:${dimensions} which is more than the maximum supported value: ${MAX_DIMENSIONS}.`
  )
  refuseUnless(
    typeof distanceFunction === 'string' && DISTANCE_FUNCTIONS.includes(distanceFunction.toLowerCase()),
    `The Vector Embedding Policy has an invalid DistanceFunction:${String(distanceFunction)}. It must be one of ${DISTANCE_FUNCTIONS.join(', ')}.`
  )
  return { path, dataType, dimensions, distanceFunction }
}

/** Refuses vector indexes that do not fit the vectors of the container. */
export function checkVectorIndexes(indexes: unknown, embeddings: readonly VectorEmbedding[] = []): void {
  if (indexes === undefined || indexes === null) return
  refuseUnless(Array.isArray(indexes), "The property 'indexingPolicy.vectorIndexes' must be an array.")
  for (const index of indexes as unknown[]) {
    refuseUnless(isObject(index), 'A vector index must be an object.')
    const embedding = embeddings.find(({ path }) => path === index['path'])
    refuseUnless(
      embedding !== undefined,
      `The Vector Indexing Policy's path::${String(index['path'])} not matching in Embedding's path.`
    )
    checkVectorIndex(index, embedding)
  }
}

function checkVectorIndex(index: Readonly<Record<string, unknown>>, { dimensions }: VectorEmbedding): void {
  const { type } = index
  const known = typeof type === 'string' ? type.toLowerCase() : ''
  refuseUnless(
    ['flat', 'quantizedflat', 'diskann'].includes(known),
    `The Vector Indexing Policy's Index Type::${String(type)} is invalid. It must be flat, quantizedFlat or diskANN.`
  )
  refuseUnless(
    known !== 'flat' || dimensions <= MAX_FLAT_DIMENSIONS,
    `A vector index of type flat has at most ${MAX_FLAT_DIMENSIONS} dimensions, not ${dimensions}.`
  )
  checkRange(index, 'quantizationByteSize', 1, Math.min(dimensions, MAX_QUANTIZATION_BYTES))
  checkRange(index, 'indexingSearchListSize', 25, 500)
  checkShardKey(index['vectorIndexShardKey'])
}

function checkRange(index: Readonly<Record<string, unknown>>, name: string, min: number, max: number): void {
  const value = index[name]
  if (value === undefined || value === null) return
  const title = name[0].toUpperCase() + name.slice(1)
  refuseUnless(
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max,
    `The Vector Indexing Policy parameter ${title} value :: ${JSON.stringify(value)} is out of range. The allowed range is between ${min} and ${max}.`
  )
}

function checkShardKey(paths: unknown): void {
  if (paths === undefined || paths === null) return
  refuseUnless(
    Array.isArray(paths),
    "One of the specified inputs is invalid: 'vectorIndexShardKey' must be an array of paths."
  )
  refuseUnless(
    paths.length <= 1,
    `The number of shard paths defined in the Vector Indexing Policy: ${paths.length} exceeds the maximum: 1.`
  )
  for (const path of paths as unknown[]) {
    const isPath = typeof path === 'string' && parsePropertyPath(path) !== undefined
    refuseUnless(isPath, `The Vector Indexing Policy has an invalid Shard Path: ${String(path)}.`)
  }
}

/** Refuses a replace that changes or removes a vector of the container; new vectors may be added. */
export function checkVectorsKept(before: unknown, after: unknown): void {
  const kept = parseVectorEmbeddings(after) ?? []
  for (const embedding of parseVectorEmbeddings(before) ?? []) {
    const same = kept.find(({ path }) => path === embedding.path)
    refuseUnless(
      JSON.stringify(same) === JSON.stringify(embedding),
      `The Vector Embedding Policy cannot be modified: the vector '${embedding.path}' must stay as it is.`
    )
  }
}

/** Refuses full text policies and indexes by name. */
export function refuseFullText(policy: unknown, indexes: unknown): void {
  const paths = isObject(policy) ? policy['fullTextPaths'] : undefined
  if (isFilled(paths)) throw notSupported("The container property 'fullTextPolicy'")
  if (isFilled(indexes)) throw notSupported("The property 'indexingPolicy.fullTextIndexes'")
}

function isFilled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0
}

function notSupported(what: string): ServiceError {
  return new ServiceError(501, `${what} is not supported by this emulator: it has no full text search.`)
}
