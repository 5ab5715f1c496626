import { setTimeout } from 'node:timers/promises'
import type { ChangesAnswer, ChangesRequest, MoveContainer, StoredDocument, WriteAnswer } from '@keystamp/move'

const DIGITS = 10
const ID = 'd-'
const KEY = 'device-'
const KEY_DIGITS = 3
const DATE = '2018-08-01'
const ETAG = '"00000000-0000-0000-0000-000000000000"'
const SECOND = Math.floor(Date.now() / 1000)
const SYSTEM = {
  _rid: 'Sl8fALN4sw4BAAAAAAAAAA==',
  _self: 'dbs/Sl8fAA==/colls/Sl8fALN4sw4=/docs/Sl8fALN4sw4BAAAAAAAAAA==/',
  _etag: ETAG,
  _attachments: 'attachments/',
  _ts: SECOND,
  _lsn: 1000000
}
const RANGES = [
  { min: '', max: '40' },
  { min: '40', max: '80' },
  { min: '80', max: 'C0' },
  { min: 'C0', max: 'FF' }
]

/** A source that makes the pages of its change feed, so that the memory of a container is not needed. */
export function generatedSource(documents: number, textBytes: number): MoveContainer {
  const [firstId, firstKey] = [`${ID}${'0'.repeat(DIGITS)}`, `${KEY}${'0'.repeat(KEY_DIGITS)}`]
  const first = { id: firstId, deviceId: firstKey, date: DATE, km: 1, text: 'x'.repeat(textBytes), ...SYSTEM }
  const template = Buffer.from(JSON.stringify(first))
  const [idAt, keyAt, dateAt] = [firstId, firstKey, DATE].map((text) => template.indexOf(text))
  const ofRange = Math.ceil(documents / RANGES.length)

  function readChanges({ range, mode, from, maxItems = 300 }: ChangesRequest): ChangesAnswer {
    const index = RANGES.findIndex(({ min }) => min === range.min)
    const end = Math.min(documents, (index + 1) * ofRange)
    const begin = from === 'beginning' ? index * ofRange : from === 'now' || mode === 'versions' ? end : Number(from)
    const numbers = Array.from({ length: Math.max(0, Math.min(maxItems, end - begin)) }, (_, at) => begin + at)
    const bytes = Buffer.allocUnsafeSlow(numbers.length * template.length)
    return {
      kind: 'page',
      documents: numbers.map((number, at) => documentAt(bytes, at * template.length, number)),
      versions: [],
      position: String(begin + numbers.length),
      isEnd: numbers.length === 0,
      sessionToken: `${index}:0#${begin}`,
      chargeRu: 3
    }
  }

  function documentAt(bytes: Buffer, start: number, number: number): StoredDocument {
    const id = `${ID}${String(number).padStart(DIGITS, '0')}`
    const key = `${KEY}${String(number % 10 ** KEY_DIGITS).padStart(KEY_DIGITS, '0')}`
    template.copy(bytes, start)
    bytes.write(id, start + idAt, 'latin1')
    bytes.write(key, start + keyAt, 'latin1')
    bytes.write(String(1 + (number % 28)).padStart(2, '0'), start + dateAt + DATE.length - 2, 'latin1')
    const identity = { key: [key], id }
    return { bytes, start, end: start + template.length, identity, etag: ETAG, timestamp: SECOND, lsn: number }
  }

  return {
    name: 'bench/generated',
    definition: definitionOf('/deviceId'),
    feedRanges: async () => RANGES,
    readChanges: async (request) => {
      await setTimeout(1)
      return readChanges(request)
    },
    read: async () => undefined,
    write: () => Promise.reject(new Error('Nothing writes to the source.'))
  }
}

/** A target that discards all documents, and answers every 5 ms. */
export function discardingTarget(): MoveContainer & { readonly close: () => void } {
  const waiting: ((answer: WriteAnswer) => void)[] = []
  const timer = setInterval(() => {
    for (const resolve of waiting.splice(0)) resolve(DONE)
  }, 5)
  return {
    name: 'bench/discarding',
    definition: definitionOf('/partitionKey'),
    feedRanges: async () => RANGES,
    readChanges: () => Promise.reject(new Error('Nothing reads the target.')),
    read: async () => undefined,
    write: () => new Promise((resolve) => waiting.push(resolve)),
    close: () => clearInterval(timer)
  }
}

function definitionOf(path: string): MoveContainer['definition'] {
  return { rid: path, partitionKey: { paths: [path], kind: 'Hash', version: 2 }, defaultTtl: undefined, uniqueKeys: [] }
}

const DONE: WriteAnswer = { kind: 'done', etag: ETAG, chargeRu: 7 }
