import { joinedLengthBound, joinInto, type StampedBytes } from '@keystamp/core'
import { createTelemetry } from '@keystamp/testkit'
import { type Contestant, lineOf, measure } from './measure.ts'
import { loadMoveParts, storedPage } from './move/stored-page.ts'

export const question = 'What does it cost to make the copy of a document for another key, and to restore the document?'

const COUNT = 2_000
const OPTIONS = {
  plan: { into: '/pk', from: [{ field: '/VIN' }, { field: '/day' }] },
  sourceKeyPaths: [['VIN']],
  sourceDefaultTtl: 100_000,
  ttl: 'remaining'
}

/** Copies of documents of 1 KB, as bytes of a request. */
export async function run(report: (line: string) => void): Promise<void> {
  const { createIdentityReader, createPlanMapper, createReverseMapper } = await loadMoveParts<Inner>([
    'documents/identity-reader.js',
    'documents/plan-mapper.js',
    'documents/reverse-mapper.js'
  ])
  const { big } = createTelemetry(1)
  const { texts, bytes, places } = storedPage(Array.from({ length: COUNT }, () => big()))
  const read = createIdentityReader(OPTIONS.sourceKeyPaths)
  const documents = places.map(([start, end]) => read(bytes, start, end))
  const [there, withoutTtl] = [OPTIONS, { ...OPTIONS, sourceDefaultTtl: undefined }].map(createPlanMapper)
  const back = createReverseMapper(OPTIONS)
  const target = new Uint8Array(65_536)
  const write = ({ stamped }: Mapped): void => {
    if (joinedLengthBound(stamped) <= target.length) joinInto(stamped, target, 0)
  }
  const contestants: readonly Contestant[] = [
    { name: 'JSON.parse, spread, JSON.stringify', run: () => texts.forEach(byHand) },
    { name: 'copy without TTL', run: () => documents.forEach((each) => write(withoutTtl.map(each, NOW))) },
    { name: 'copy with the TTL that is left', run: () => documents.forEach((each) => write(there.map(each, NOW))) },
    { name: 'restore', run: () => documents.forEach((each) => write(back.map(each, NOW))) },
    { name: 'original of a copy', run: () => documents.forEach((each) => there.sourceOf(each)) }
  ]
  for (const line of measure(contestants, { records: COUNT, repeats: 5 })) report(lineOf(line))
}

const NOW = 1_700_000_100_000

function byHand(text: string): string {
  const { _rid, _self, _etag, _attachments, _ts, ...document } = JSON.parse(text) as Record<string, unknown>
  return JSON.stringify({ ...document, pk: `${String(document['VIN'])}-${String(document['day'])}`, ttl: 99_900 })
}

interface Mapped {
  readonly stamped: StampedBytes
}

interface Mapper {
  readonly map: (document: unknown, nowMs: number) => Mapped
  readonly sourceOf: (document: unknown) => unknown
}

interface Inner {
  readonly createIdentityReader: (
    paths: readonly (readonly string[])[]
  ) => (bytes: Uint8Array, start: number, end: number) => unknown
  readonly createPlanMapper: (options: unknown) => Mapper
  readonly createReverseMapper: (options: unknown) => Mapper
}
