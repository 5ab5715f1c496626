import { type KeyDefinition, partitionHash } from '@keystamp/core'
import { parsePointer, type Pointer } from '@keystamp/core/internal'
import { type ContainerDefinition, pointerOfPath } from '@keystamp/cosmos'
import type { CopyOptions } from '../documents/copy-layout.ts'
import type { DocumentMapper } from '../documents/document-mapper.ts'
import { createIdentityReader } from '../documents/identity-reader.ts'
import { identityText } from '../documents/identity.ts'
import { createPlanMapper } from '../documents/plan-mapper.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import { bytesOfRecord } from '../target-index/entry-record.ts'
import { targetText } from '../target-index/target-text.ts'
import { type IndexingPolicy, indexedValues } from './indexed-values.ts'

/** Counts of sampled documents, without values of them. */
export interface SampleFacts {
  /** Documents that were looked at. */
  readonly documents: number
  readonly meanBytes: number
  /** Mean number of values that enter the index. */
  readonly meanIndexedValues: number
  /** Mean bytes of an entry of the identity index, on the disk. */
  readonly meanEntryBytes: number
  /** Rejections of the plan, the most frequent first. */
  readonly rejected: readonly { readonly code: string; readonly message: string; readonly documents: number }[]
  /** Documents that are not copied, because they expire at once. */
  readonly expiring: number
  /** Documents whose new key and id another document of the sample has, too. */
  readonly collisions: number
  /** Documents that a unique key of the target refuses after another document of the sample. */
  readonly uniqueConflicts: number
  /** The new key with most bytes; null if no document was mapped. */
  readonly largestKey: { readonly hash: string; readonly documents: number; readonly share: number } | null
  /** Old keys with several documents in the sample, and those of them whose documents get several new keys. */
  readonly sharedKeys: number
  readonly tornKeys: number
  /** Documents whose life has an end; `inherited`: without a member `ttl`, so that their container decides. */
  readonly mortal: number
  readonly inherited: number
  /** Longest life of a document, in seconds; null if one never expires. */
  readonly longestLife: number | null
  /** Seconds that are left to the mortal documents, in ascending order. */
  readonly secondsLeft: readonly number[]
}

/** A move, and the containers as far as they decide what its plan does to documents. */
export interface CountSampleOptions {
  readonly copy: CopyOptions
  /** Target; if there is none yet, with the unique keys of the source. */
  readonly target: Pick<ContainerDefinition, 'partitionKey' | 'uniqueKeys'>
  /** `indexingPolicy` of the target. */
  readonly indexingPolicy: IndexingPolicy
  readonly nowMs: number
}

/** Counts what a plan does to documents, which must have their system properties. */
export function countSample(documents: Iterable<object>, options: CountSampleOptions): SampleFacts {
  const { copy, target, indexingPolicy, nowMs } = options
  const counter = new SampleCounter({
    mapper: createPlanMapper(copy),
    defaultTtl: copy.sourceDefaultTtl,
    targetKey: target.partitionKey,
    uniqueKeys: target.uniqueKeys.map((paths) => paths.map((path) => parsePointer(pointerOfPath(path)) ?? [])),
    indexingPolicy,
    nowMs
  })
  const read = createIdentityReader(copy.sourceKeyPaths)
  for (const document of documents) {
    const bytes = encoder.encode(JSON.stringify(document))
    const stored = read(bytes, 0, bytes.length)
    if (stored !== undefined) counter.add(stored)
  }
  return counter.finish()
}

export interface SampleCounterOptions {
  readonly mapper: DocumentMapper
  /** `DefaultTimeToLive` of the source. */
  readonly defaultTtl: number | undefined
  /** Key definition of the target. */
  readonly targetKey: KeyDefinition
  /** Property names of the paths of each unique key of the target. */
  readonly uniqueKeys: readonly (readonly Pointer[])[]
  readonly indexingPolicy: IndexingPolicy
  readonly nowMs: number
}

/** Counts what a plan does to sampled documents. */
export class SampleCounter {
  readonly #options: SampleCounterOptions
  readonly #seen: Set<string> = new Set()
  readonly #rejected: Map<string, { readonly code: string; readonly message: string; documents: number }> = new Map()
  readonly #targets: Set<string> = new Set()
  readonly #uniques: Set<string> = new Set()
  readonly #newKeys: Map<string, { readonly hash: string; documents: number; bytes: number }> = new Map()
  readonly #oldKeys: Map<string, { documents: number; readonly newKeys: Set<string> }> = new Map()
  readonly #left: number[] = []
  #bytes = 0
  #indexed = 0
  #entryBytes = 0
  #expiring = 0
  #collisions = 0
  #uniqueConflicts = 0
  #inherited = 0
  #longest: number | null = 0

  constructor(options: SampleCounterOptions) {
    this.#options = options
  }

  /** Counts a document; the second time, it is ignored. */
  add(document: StoredDocument): void {
    const source = identityText(document.identity)
    if (this.#seen.has(source)) return
    this.#seen.add(source)
    const { mapper, nowMs, indexingPolicy } = this.#options
    const json = JSON.parse(decoder.decode(document.bytes.subarray(document.start, document.end))) as JsonObject
    this.#bytes += document.end - document.start
    this.#indexed += indexedValues(json, indexingPolicy)
    this.#countLife(json['ttl'], document.timestamp)
    const mapped = mapper.map(document, nowMs)
    if (mapped.kind === 'expiring') this.#expiring++
    else if (mapped.kind === 'rejected') this.#countRejected(mapped)
    else this.#countMapped(document, mapped.identity, json)
  }

  #countLife(ttl: unknown, timestamp: number): void {
    const { defaultTtl, nowMs } = this.#options
    const isOwn = ttl !== undefined && ttl !== null
    const life = defaultTtl === undefined ? -1 : isOwn ? Number(ttl) : defaultTtl
    if (!(life > 0)) {
      this.#longest = null
      return
    }
    if (!isOwn) this.#inherited++
    if (this.#longest !== null) this.#longest = Math.max(this.#longest, life)
    this.#left.push(Math.max(0, Math.round(life - (nowMs / 1000 - timestamp))))
  }

  #countRejected({ code, message }: { readonly code: string; readonly message: string }): void {
    const known = this.#rejected.get(code) ?? { code, message, documents: 0 }
    known.documents++
    this.#rejected.set(code, known)
  }

  #countMapped(document: StoredDocument, target: StoredDocument['identity'], json: JsonObject): void {
    const text = identityText(target)
    this.#entryBytes += bytesOfRecord(targetText(document.identity, target))
    if (this.#targets.has(text)) this.#collisions++
    this.#targets.add(text)
    const newKey = keyText(target.key)
    this.#countNewKey(newKey, target, document.end - document.start)
    const oldKey = keyText(document.identity.key)
    const old = this.#oldKeys.get(oldKey) ?? { documents: 0, newKeys: new Set() }
    old.documents++
    old.newKeys.add(newKey)
    this.#oldKeys.set(oldKey, old)
    if (this.#countUniques(newKey, json)) this.#uniqueConflicts++
  }

  #countNewKey(text: string, { key }: StoredDocument['identity'], bytes: number): void {
    const known = this.#newKeys.get(text) ?? {
      hash: partitionHash(key, this.#options.targetKey).slice(0, HASH_DIGITS),
      documents: 0,
      bytes: 0
    }
    known.documents++
    known.bytes += bytes
    this.#newKeys.set(text, known)
  }

  /** Whether another document of the new key has the same values of a unique key. */
  #countUniques(newKey: string, json: JsonObject): boolean {
    let isRefused = false
    for (const [number, paths] of this.#options.uniqueKeys.entries()) {
      // a missing value counts as null
      const values = paths.map((path) => valueAt(json, path) ?? null)
      const text = JSON.stringify([newKey, number, values])
      isRefused ||= this.#uniques.has(text)
      this.#uniques.add(text)
    }
    return isRefused
  }

  finish(): SampleFacts {
    const documents = this.#seen.size
    const mapped = this.#targets.size + this.#collisions
    const largest = [...this.#newKeys.values()].reduce<NewKey | undefined>(
      (most, each) => (most === undefined || each.bytes > most.bytes ? each : most),
      undefined
    )
    const shared = [...this.#oldKeys.values()].filter((key) => key.documents > 1)
    return {
      documents,
      meanBytes: this.#bytes / Math.max(1, documents),
      meanIndexedValues: this.#indexed / Math.max(1, documents),
      meanEntryBytes: this.#entryBytes / Math.max(1, mapped),
      rejected: [...this.#rejected.values()].toSorted((a, b) => b.documents - a.documents),
      expiring: this.#expiring,
      collisions: this.#collisions,
      uniqueConflicts: this.#uniqueConflicts,
      largestKey:
        largest === undefined
          ? null
          : { hash: largest.hash, documents: largest.documents, share: largest.bytes / this.#bytes },
      sharedKeys: shared.length,
      tornKeys: shared.filter(({ newKeys }) => newKeys.size > 1).length,
      mortal: this.#left.length,
      inherited: this.#inherited,
      longestLife: documents === 0 ? null : this.#longest,
      secondsLeft: this.#left.toSorted((a, b) => a - b)
    }
  }
}

interface NewKey {
  readonly hash: string
  readonly documents: number
  readonly bytes: number
}

type JsonObject = Readonly<Record<string, unknown>>

/** Digits of a hash that a reader can compare. */
const HASH_DIGITS = 8

const decoder = new TextDecoder()
const encoder = new TextEncoder()

function keyText(key: StoredDocument['identity']['key']): string {
  return identityText({ key, id: '' })
}

function valueAt(json: unknown, path: Pointer): unknown {
  let value = json
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as JsonObject)[name]
  }
  return value
}
