import { type Document, isAlias, isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap } from 'yaml'
import { type ConfigPath, deleteAt, dottedPath, pathText, setAt, valueAt } from './config-path.ts'

/** Former names of the keys of a sink, accepted until version 1.0. A renamed key stays in its section. */
export const RENAMED_KEYS: readonly RenamedKey[] = [
  { from: 'kafka.heartbeat', to: 'kafka.heartbeatInterval' },
  { from: 'kafka.maxWait', to: 'kafka.fetchMaxWait' },
  { from: 'kafka.maxInflatedBatch', to: 'kafka.maxDecompressedBytes' },
  { from: 'kafka.handover', to: 'kafka.handoverPeriod' },
  { from: 'registry.timeout', to: 'registry.requestTimeout' },
  { from: 'write.drop', to: 'write.dropProperties' },
  { from: 'write.patch.members', to: 'write.patch.properties' },
  { from: 'maxBytes', to: 'maxInFlightBytes' },
  { from: 'stall', to: 'stallTimeout' },
  { from: 'shutdown', to: 'shutdownTimeout' },
  { from: 'authGrace', to: 'authGracePeriod' }
]

export interface RenamedKey {
  readonly from: string
  readonly to: string
}

/** Keys that a configuration uses under their former names. */
export interface FormerNames {
  readonly moved: readonly { readonly from: ConfigPath; readonly to: ConfigPath }[]
  readonly mistakes: readonly { readonly path: ConfigPath; readonly message: string }[]
}

/**
 * Moves each value from a former name to the current one, in place. A key under both names is a mistake; the value of
 * the former name is removed.
 */
export function renameKeys(value: object): FormerNames {
  const moved: { from: ConfigPath; to: ConfigPath }[] = []
  const mistakes: { path: ConfigPath; message: string }[] = []
  for (const sink of sinkPaths(value)) {
    for (const key of RENAMED_KEYS) {
      const [from, to] = [
        [...sink, ...dottedPath(key.from)],
        [...sink, ...dottedPath(key.to)]
      ]
      const given = valueAt(value, from)
      if (given === undefined) continue
      deleteAt(value, from)
      if (valueAt(value, to) === undefined) {
        setAt(value, to, given)
        moved.push({ from, to })
      } else {
        mistakes.push({
          path: from,
          message: `is the former name of ${pathText(to)}, which is also set: remove ${pathText(from)}`
        })
      }
    }
  }
  return { moved, mistakes }
}

/** Path of each sink in a file: the file itself, or the entries of `sinks`. */
export function sinkPaths(value: object): readonly ConfigPath[] {
  if (!('sinks' in value)) return [[]]
  return Array.isArray(value.sinks) ? value.sinks.map((_sink, index) => ['sinks', index]) : []
}

/** Configuration under the current names of its keys. */
export interface MigratedConfig {
  readonly text: string
  /** Renamed keys in the order of the file, as paths. */
  readonly renamed: readonly RenamedKey[]
}

/**
 * Renames the keys in the text of a configuration that is valid YAML. Changes nothing else: comments and layout stay.
 */
export function renameKeysInText(given: string): MigratedConfig {
  const mark = given.startsWith('\ufeff') ? '\ufeff' : ''
  const text = given.slice(mark.length)
  const document = parseDocument(text, { merge: true, prettyErrors: false })
  const sinks = sinkMaps(document)
  const edits = new Map<number, { readonly end: number; readonly name: string; readonly renamed: RenamedKey }>()
  for (const sink of sinks) {
    for (const renamed of RENAMED_KEYS) {
      for (const { key } of pairsAt(document, [sink], dottedPath(renamed.from))) {
        if (!isScalar(key) || key.range === undefined || key.range === null) continue
        const [start, end] = key.range
        const quote = /^["']/.exec(text.slice(start, end))?.[0] ?? ''
        edits.set(start, { end, name: `${quote}${dottedPath(renamed.to).at(-1)}${quote}`, renamed })
      }
    }
  }
  const inOrder = [...edits].toSorted(([a], [b]) => a - b)
  let migrated = ''
  let at = 0
  for (const [start, { end, name }] of inOrder) {
    migrated += text.slice(at, start) + name
    at = end
  }
  return { text: mark + migrated + text.slice(at), renamed: inOrder.map(([, { renamed }]) => renamed) }
}

function sinkMaps(document: Document): readonly YAMLMap[] {
  const root = mapsOf(document, document.contents)
  const lists = root.flatMap((map) => pairsAt(document, [map], ['sinks'])).map(({ value }) => resolved(document, value))
  return lists.length === 0
    ? root
    : lists.flatMap((list) => (isSeq(list) ? list.items.flatMap((item) => mapsOf(document, item)) : []))
}

/** Returns the pairs at a path, including those that an alias or a merge key (`<<`) brings in from an anchor. */
function pairsAt(document: Document, maps: readonly YAMLMap[], path: ConfigPath): readonly Pair[] {
  const [first, ...rest] = path
  const pairs = maps.flatMap(({ items }) => items.filter(({ key }) => isScalar(key) && key.value === first))
  if (rest.length === 0) return pairs
  return pairs.flatMap(({ value }) => pairsAt(document, mapsOf(document, value), rest))
}

/** The map itself and the maps that are merged into it. */
function mapsOf(document: Document, node: unknown): readonly YAMLMap[] {
  const found = resolved(document, node)
  if (isSeq(found)) return found.items.flatMap((item) => mapsOf(document, item))
  if (!isMap(found)) return []
  const merged = found.items.filter(({ key }) => isScalar(key) && (key.value === '<<' || typeof key.value === 'symbol'))
  return [found, ...merged.flatMap(({ value }) => mapsOf(document, value))]
}

function resolved(document: Document, node: unknown): unknown {
  return isAlias(node) ? node.resolve(document) : node
}
