import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'

import { createRecordMaker } from './planner/records.ts'

export const question = 'What does keystamp plan cost on files of 100 MB and 1 GB, and on a stream of 10 GB?'

const ROUNDS = Number(process.env['KEYSTAMP_BENCH_ROUNDS'] ?? 5)
/** Records of 1 KB that are piped into the command; 0 for none. 10 GB are 10,000,000. */
const STREAMED = Number(process.env['KEYSTAMP_BENCH_STREAM'] ?? 0)
const SMALL = 100_000
const LARGE = 1_000_000

/** The queries make 25 candidates of the 30 paths of a record. */
const WORKLOAD = [
  ...['--writes', '5000/s', '--ttl', '30d', '--items', '10B', '--time', 'at', '--transaction', 'orderId'],
  ...['--query', 'deviceId, at=day @ 20/s', '--query', 'tenantId, customerId @ 50/s', '--query', 'fleetId @ 2/s']
]

interface Run {
  readonly seconds: number
  readonly cpuSeconds: number
  readonly maxRSS: number
  readonly candidates: number
}

// excludes the start of the process and the loading of modules
const MEASURED = `
import { main } from 'keystamp'
await import('@keystamp/planner')
const written = []
const { write } = process.stdout
process.stdout.write = (text) => written.push(String(text)) > 0
const before = process.cpuUsage()
const start = performance.now()
await main(process)
const { user, system } = process.cpuUsage(before)
const seconds = (performance.now() - start) / 1000
process.stdout.write = write
const { candidates } = JSON.parse(written.join(''))
const { maxRSS } = process.resourceUsage()
console.log(JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, maxRSS, candidates: candidates.length }))
`

/** Runs the command in a process of its own, with the workload of the bench. */
export async function run(report: (line: string) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'keystamp-planner-bench-'))
  try {
    for (const records of [SMALL, LARGE]) {
      const path = join(folder, `${records}.ndjson`)
      const file = createWriteStream(path)
      await writeRecords(file, records)
      file.end()
      await once(file, 'close')
      const runs: Run[] = []
      for (let round = 0; round < ROUNDS; round++) runs.push(await runPlan([path]))
      describe(records, runs, report)
    }
    if (STREAMED > 0) describe(STREAMED, [await runPlan([], STREAMED)], report)
  } finally {
    await rm(folder, { recursive: true })
  }
}

function describe(records: number, runs: readonly Run[], report: (line: string) => void): void {
  const { seconds, cpuSeconds, candidates } = runs.toSorted((a, b) => a.cpuSeconds - b.cpuSeconds)[runs.length >> 1]
  const memory = Math.max(...runs.map(({ maxRSS }) => maxRSS)) / 1024
  const micros = (cpuSeconds * 1e6) / records
  report(
    `  ${records.toLocaleString('en').padStart(10)} records of 1 KB, ${candidates} candidates: ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU, ${micros.toFixed(1)} us a record, at most ${memory.toFixed(0)} MB`
  )
}

async function runPlan(files: readonly string[], streamed = 0): Promise<Run> {
  const options = [
    '--input-type=module',
    '-e',
    MEASURED,
    'keystamp',
    'plan',
    ...files,
    ...WORKLOAD,
    '--json',
    '--quiet'
  ]
  const child = spawn(process.execPath, options, { stdio: ['pipe', 'pipe', 'inherit'] })
  if (streamed > 0) await writeRecords(child.stdin, streamed)
  child.stdin.end()
  let text = ''
  for await (const chunk of child.stdout) text += String(chunk)
  return JSON.parse(text) as Run
}

async function writeRecords(to: Writable, count: number): Promise<void> {
  const { bytes, next } = createRecordMaker(1)
  const length = bytes.length + 1
  for (let written = 0; written < count;) {
    const many = Math.min(1000, count - written)
    const chunk = Buffer.alloc(many * length, '\n')
    for (let record = 0; record < many; record++) {
      next()
      chunk.set(bytes, record * length)
    }
    written += many
    if (!to.write(chunk)) await once(to, 'drain')
  }
}
