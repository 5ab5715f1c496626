import { createHash } from 'node:crypto'
import { createTelemetry } from '@keystamp/testkit'
import { lineOf, measure } from './measure.ts'
import { loadMoveParts, storedPage } from './move/stored-page.ts'

export const question =
  'What does a digest of a document cost, compared with parsing it and hashing its JSON with sorted names?'

const COUNT = 2_000

/** Digests of documents of 1 KB: with 30 members of any kind, and with 75 values in nested objects and arrays. */
export async function run(report: (line: string) => void): Promise<void> {
  const inner = await loadInner()
  const { big } = createTelemetry(1)
  const identities = Array.from({ length: COUNT }, (_, index) => ({
    key: [`tenant-${index % 50}`],
    id: `order-${index}`
  }))
  compare(
    'with 30 members',
    identities.map(({ id }, index) => flatDocument(id, index)),
    inner,
    report
  )
  compare(
    'with nested objects and arrays, 75 values',
    identities.map(() => big()),
    inner,
    report
  )
  const buckets = inner.createBucketDigests()
  const [content, identity] = [new Int32Array(4), new Int32Array(4)]
  const [summed] = measure(
    [
      {
        name: 'hash of an identity, and sum of its bucket',
        run: () =>
          identities.forEach((each) => {
            inner.hashIdentity(each, identity)
            buckets.add(identity, content)
          })
      }
    ],
    { records: COUNT, repeats: 10 }
  )
  report(`  ${summed.name.padEnd(56)} ${summed.nanos.toFixed(1).padStart(8)} ns`)
}

function compare(title: string, documents: readonly object[], inner: Inner, report: (line: string) => void): void {
  const { texts, bytes, places } = storedPage(documents)
  const digest = inner.createDocumentDigest({ leaveOut: ['/pk'] })
  const into = new Int32Array(4)
  report(`  documents of ${Math.round(bytes.length / COUNT)} bytes ${title}`)
  const measured = measure(
    [
      { name: 'JSON.parse, sorted names, JSON.stringify, SHA-256', run: () => texts.forEach(byHand) },
      { name: 'JSON.parse only', run: () => texts.forEach((text) => JSON.parse(text) as unknown) },
      { name: 'digest', run: () => places.forEach(([start, end]) => digest(bytes, start, end, into)) }
    ],
    { records: COUNT, repeats: 5 }
  )
  for (const line of measured) report(lineOf(line))
}

/** 30 members with those of Cosmos DB: strings, integers, fractions and booleans. */
function flatDocument(id: string, index: number): object {
  const members = Array.from({ length: 24 }, (_, number): [string, unknown] => {
    const kind = number % 4
    const value = [
      `the value of member ${number} of ${index}, as text`,
      index * 1000 + number,
      index + number / 100,
      number % 8 === 3
    ]
    return [`property${number}`, value[kind]]
  })
  return { id, ...Object.fromEntries(members) }
}

function byHand(text: string): string {
  const value: unknown = JSON.parse(text, (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner
  )
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

type Words = Int32Array

interface Inner {
  readonly createDocumentDigest: (options: {
    readonly leaveOut: readonly string[]
  }) => (bytes: Uint8Array, start: number, end: number, into: Words) => boolean
  readonly hashIdentity: (identity: { readonly key: readonly string[]; readonly id: string }, into: Words) => void
  readonly createBucketDigests: () => { readonly add: (identity: Words, content: Words) => void }
}

function loadInner(): Promise<Inner> {
  return loadMoveParts(['digest/document-digest.js', 'digest/identity-hash.js', 'digest/bucket-digests.js'])
}
