import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmulatorProcess, type EmulatorProcess } from '@keystamp/emulator'
import { control } from './writer/place.ts'
import { runLoadCommand } from './load/run-load-command.ts'
import { writeTelemetry } from './load/telemetry-file.ts'

export const question = 'How much of its time does a short `keystamp load` lose before it writes?'

const RANGES = 4
const LATENCY_MS = 20
const RU_PER_SECOND = Number(process.env['KEYSTAMP_BENCH_RU'] ?? 8000)
// about ten seconds of records of 1 KB at 15 RU
const RECORDS_PER_RU = 0.65
const ROUNDS = Number(process.env['KEYSTAMP_BENCH_ROUNDS'] ?? 5)
const LOOK_MS = 10

/** From the start of the process to its first write, and the share of the budget that a load of about ten seconds used, the start included. */
export async function run(report: (line: string) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'keystamp-'))
  try {
    const file = join(folder, 'telemetry.ndjson')
    await writeTelemetry(file, Math.round(RU_PER_SECOND * RECORDS_PER_RU))
    for (let round = 0; round < ROUNDS; round++) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      report(`  ${await loadOnce(file)}`)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function loadOnce(file: string): Promise<string> {
  const emulator = await startEmulatorProcess({
    ranges: RANGES,
    ruPerSecond: RU_PER_SECOND,
    throttle: true,
    latencyMs: LATENCY_MS,
    auth: 'off',
    containers: ['d/c:/partitionKey']
  })
  try {
    const start = performance.now()
    let firstMs = 0
    const lookForWrite = async (): Promise<void> => {
      const ru = await usedRuOf(emulator)
      if (ru > 0 && firstMs === 0) firstMs = performance.now() - start
    }
    const look = setInterval(() => {
      void lookForWrite()
    }, LOOK_MS)
    await runLoadCommand(
      ['--from', 'VIN', '--to', `${emulator.endpoint}d/c`, '-q', '--no-checkpoint', file],
      () => () => clearInterval(look)
    )
    const seconds = (performance.now() - start) / 1000
    const share = (await usedRuOf(emulator)) / (RU_PER_SECOND * seconds)
    return `first write after ${Math.round(firstMs)} ms; ${seconds.toFixed(1)} s in all, ${(share * 100).toFixed(1)} % of the budget used`
  } finally {
    await emulator.stop()
  }
}

async function usedRuOf(emulator: EmulatorProcess): Promise<number> {
  const { containers } = (await control(emulator, 'GET', 'report')) as { containers: { ranges: { usedRu: number }[] }[] }
  return containers[0].ranges.reduce((sum, { usedRu }) => sum + usedRu, 0)
}
