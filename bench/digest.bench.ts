import { createHash } from 'node:crypto'
import { createTelemetry } from '@keystamp/testkit'
import { lineOf, measure } from './measure.ts'

export const question =
  'What does a digest of a document cost, compared with parsing it and hashing its JSON with sorted names?'

const COUNT = 2_000

/** Digests of documents of 1 KB in one buffer, as a page of a change feed has them. */
export async function run(report: (line: string) => void): Promise<void> {
  const { createDocumentDigest, hashIdentity, createBucketDigests } = await loadInner()
  const { big } = createTelemetry(1)
  const documents = Array.from({ length: COUNT }, (_, index) => ({ ...big(), ...SYSTEM, id: `1FTFW1ET5DFC${index}` }))
  const texts = documents.map((document) => JSON.stringify(document))
  const page = Buffer.from(texts.join(','))
  const ends = endsOf(texts)
  const digest = createDocumentDigest({ leaveOut: ['/pk'] })
  const buckets = createBucketDigests()
  const [content, identity] = [new Int32Array(4), new Int32Array(4)]
  report(
    `  documents of ${Math.round(page.length / COUNT)} bytes with ${Object.keys(documents[0]).length} members of their own`
  )
  const measured = measure(
    [
      { name: 'JSON.parse, sorted names, JSON.stringify, SHA-256', run: () => texts.forEach(byHand) },
      { name: 'JSON.parse only', run: () => texts.forEach((text) => JSON.parse(text) as unknown) },
      {
        name: 'digest',
        run: () => ends.forEach((end, index) => digest(page, index === 0 ? 0 : ends[index - 1] + 1, end, content))
      },
      {
        name: 'hash of the identity, and sum of its bucket',
        run: () =>
          documents.forEach(({ id }) => {
            hashIdentity({ key: [id], id }, identity)
            buckets.add(identity, content)
          })
      }
    ],
    { records: COUNT, repeats: 5 }
  )
  for (const line of measured) report(lineOf(line))
}

const SYSTEM = {
  _rid: 'Sl8fALN4sw4==',
  _self: 'dbs/Sl8fAA==/colls/Sl8fALN4sw4=/docs/Sl8fALN4sw4==/',
  _etag: '"00000000-0000-0000-0000-000000000000"',
  _attachments: 'attachments/',
  _ts: 1_700_000_000
}

/** Position after each text in the page; a comma is between them. */
function endsOf(texts: readonly string[]): readonly number[] {
  let at = -1
  return texts.map((text) => (at += Buffer.byteLength(text) + 1))
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

// the package does not export these functions, but their cost decides the cost of a comparison
async function loadInner(): Promise<Inner> {
  const files = ['document-digest', 'identity-hash', 'bucket-digests']
  const parts = await Promise.all(
    files.map(
      (file): Promise<Partial<Inner>> =>
        import(new URL(`digest/${file}.js`, import.meta.resolve('@keystamp/move')).href)
    )
  )
  return Object.assign({}, ...parts)
}
