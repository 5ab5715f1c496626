import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BenchServer, startOurs } from './emulator/server.ts'
import { bulkUpserts, prepare } from './emulator/workloads.ts'

export const question =
  'What does a data folder of the emulator cost: CPU of a million writes, time to open it, and disk after ten times updating everything?'

const ROUNDS = Number(process.env['KEYSTAMP_BENCH_ROUNDS'] ?? 3)
const DOCUMENTS = Number(process.env['KEYSTAMP_BENCH_DOCUMENTS'] ?? 1_000_000)
const UPDATES = 10

/** The emulator with and without a data folder in turn, each in a process of its own. */
export async function run(report: (line: string) => void): Promise<void> {
  const ratios: number[] = []
  const opened: { seconds: number; cpuSeconds: number; megabytes: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const folder = mkdtempSync(join(tmpdir(), 'keystamp-bench-'))
    const inMemory = await cpuOfFill(await startOurs('in memory', false))
    const onDisk = await cpuOfFill(await startOurs('with data', false, 10, { data: folder }))
    ratios.push(onDisk / inMemory)
    opened.push(await open(folder))
    rmSync(folder, { recursive: true })
  }
  const count = DOCUMENTS.toLocaleString('en')
  report(`  ${count} documents of 1 KB written in bulk: ${spread(ratios)} times the CPU of the emulator in memory`)
  report(
    `  opening them: ${spread(opened.map(({ seconds }) => seconds))} s from the start of the process to its first answer`
  )
  report(
    `  CPU of the whole process meanwhile: ${spread(opened.map(({ cpuSeconds }) => cpuSeconds))} s; ${spread(opened.map(({ megabytes }) => megabytes))} MB of files`
  )
  await update(report)
}

async function cpuOfFill(server: BenchServer): Promise<number> {
  const keys = await prepare(server)
  const before = server.cpuMicros()
  await bulkUpserts(server, keys, DOCUMENTS, 'fill')
  const used = server.cpuMicros() - before
  await server.stop()
  return used
}

async function open(folder: string): Promise<{ seconds: number; cpuSeconds: number; megabytes: number }> {
  const begun = performance.now()
  const server = await startOurs('with data', false, 10, { data: folder })
  await server.call('GET', '/dbs/bench/colls/c')
  const seconds = (performance.now() - begun) / 1000
  const cpuSeconds = server.cpuMicros() / 1e6
  await server.stop()
  return { seconds, cpuSeconds, megabytes: sizeOf(folder) / 1e6 }
}

/** Updates all documents ten times, and reports the largest size of the folder. */
async function update(report: (line: string) => void): Promise<void> {
  const documents = Math.floor(DOCUMENTS / 10)
  const folder = mkdtempSync(join(tmpdir(), 'keystamp-bench-'))
  const server = await startOurs('with data', false, 10, { data: folder })
  const keys = await prepare(server)
  let largest = 0
  const sampler = setInterval(() => (largest = Math.max(largest, sizeOf(folder))), 5)
  for (let turn = 0; turn <= UPDATES; turn++) await bulkUpserts(server, keys, documents, 'update')
  clearInterval(sampler)
  const { text } = await server.call('GET', '/_control/report')
  const { containers } = JSON.parse(text) as { containers: { ranges: { bytes: number }[] }[] }
  const live = containers[0].ranges.reduce((sum, { bytes }) => sum + bytes, 0)
  await server.stop()
  report(
    `  ${documents.toLocaleString('en')} documents updated ${UPDATES} times: at most ${(largest / live).toFixed(2)} times their size on disk, ${(sizeOf(folder) / live).toFixed(2)} at the end`
  )
  rmSync(folder, { recursive: true })
}

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0
  )
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  return `${sorted[Math.floor(sorted.length / 2)].toFixed(2)} (${sorted[0].toFixed(2)} to ${sorted.at(-1)!.toFixed(2)})`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run((line) => console.log(line))
