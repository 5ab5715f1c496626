import { openXray } from '@keystamp/cosmos'
import { startEmulator } from '@keystamp/emulator'
import { createLoadCounter, createXrayReport, keyValuesOf } from '@keystamp/planner'
import type { Shown } from './row.ts'

const DOCUMENTS = 800

/** Findings of `keystamp xray` in a container in which one date has half of the writes. */
export async function hotDateFound(): Promise<Shown[]> {
  const emulator = await startEmulator({ auth: 'off', ranges: 4, ruPerSecond: 40_000 })
  try {
    const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
      fetch(`${emulator.endpoint}${path}`, { method: 'POST', body: JSON.stringify(body), headers })
    await post('dbs', { id: 'd' })
    await post('dbs/d/colls', { id: 'c', partitionKey: { paths: ['/date'], kind: 'Hash', version: 2 } })
    for (let index = 0; index < DOCUMENTS; index++) {
      const date = index % 2 === 0 ? '2018-08-09' : `date-${index}`
      await post('dbs/d/colls/c/docs', { id: `${index}`, date }, { 'x-ms-documentdb-partitionkey': `["${date}"]` })
    }
    return [{ input: `${DOCUMENTS} writes, half of them under one date`, output: await findingsIn(emulator) }]
  } finally {
    await emulator.stop()
  }
}

async function findingsIn({ endpoint, key }: { readonly endpoint: string; readonly key: string }): Promise<string> {
  const container = { endpoint, key, database: 'd', container: 'c' }
  const xray = openXray({ ...container, maxRuPerSecond: 100_000, random: () => 0.5 })
  try {
    const { definition, ranges, ...facts } = await xray.facts()
    const counter = createLoadCounter({ definition: definition.partitionKey, ranges, windows: 15 })
    const to = Math.ceil(Date.now() / 1000) + 1
    const { read, windows } = await xray.changes({
      from: to - 60,
      to,
      onChanges: ({ window, documents }) => {
        for (const document of documents) counter.add(keyValuesOf(document, [['date']]), window, 1)
      }
    })
    const { findings } = createXrayReport({
      ...facts,
      name: 'd/c',
      definition: definition.partitionKey,
      ranges: ranges.map((range) => ({ ...range, bytes: null, documents: null, largestKeys: [] })),
      ruPerSecond: facts.offer?.ruPerSecond ?? null,
      throughput: 'manual',
      isShared: false,
      looked: { at: '', since: '', readSeconds: 60, requests: 0, chargeRu: 0, maxRuPerSecond: 0 },
      load: {
        source: 'changes',
        counted: counter.finish((window) => read.includes(window)),
        seconds: 60,
        windowStarts: windows.map(() => '')
      },
      queries: [],
      unseen: [],
      plan: null,
      showValues: false
    })
    return findings.map(({ title, value }) => `${title}: ${Math.round(value * 100)} %`).join(', ')
  } finally {
    xray.close()
  }
}
