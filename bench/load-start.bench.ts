import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmulatorProcess, type EmulatorProcess } from '@keystamp/emulator'
import { control } from './writer/bench-container.ts'
import { writeTelemetry } from './load/telemetry-file.ts'

export const question = 'How much of its time does a short load spend before it writes?'

const RANGES = 4
const LATENCY_MS = 20
const RU_PER_SECOND = Number(process.env['KEYSTAMP_BENCH_RU'] ?? 8000)
// enough records of 1 KB, at 15 RU each, for about ten seconds
const RECORDS_PER_RU = 0.625
const ROUNDS = Number(process.env['KEYSTAMP_BENCH_ROUNDS'] ?? 5)
const SAMPLE_MS = 10
const COMMAND = fileURLToPath(new URL('../bin/keystamp.mjs', import.meta.resolve('keystamp')))

/**
 * Measures the time from the start of the process to its first write, and the share of the budget that a load of about
 * ten seconds uses between the start and the end of the process. KEYSTAMP_BENCH_OTHER names the `keystamp.mjs` of
 * another build, which runs in turn with this one.
 */
export async function run(report: (line: string) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'keystamp-'))
  const other = process.env['KEYSTAMP_BENCH_OTHER']
  const commands = [
    { name: 'this build', path: COMMAND },
    ...(other === undefined ? [] : [{ name: 'other build', path: other }])
  ]
  const rounds = commands.map((command): Rounds => ({ ...command, loads: [] }))
  try {
    const file = join(folder, 'telemetry.ndjson')
    await writeTelemetry(file, Math.round(RU_PER_SECOND * RECORDS_PER_RU))
    for (let round = 0; round < ROUNDS; round++) {
      // each build is the first one in every second round
      for (const { name, path, loads } of round % 2 === 0 ? rounds : rounds.toReversed()) {
        const load = await loadOnce(path, file)
        loads.push(load)
        report(`  ${name.padEnd(12)} ${textOf(load)}`)
      }
    }
    for (const { name, loads } of rounds)
      report(`  ${name.padEnd(12)} ${textOf(medianOf(loads))}, median of ${loads.length}`)
  } finally {
    await rm(folder, { recursive: true })
  }
}

interface Load {
  readonly firstMs: number
  readonly seconds: number
  /** From the last write to the end of the process. */
  readonly endMs: number
  /** Used part of the budget. */
  readonly part: number
  /**
   * Used part of the budget of the range with the most writes. The other ranges end earlier: keys do not hash evenly.
   */
  readonly fullestPart: number
  readonly throttledOperations: number
}

interface Rounds {
  readonly name: string
  readonly path: string
  readonly loads: Load[]
}

function textOf({ firstMs, seconds, endMs, part, fullestPart, throttledOperations }: Load): string {
  const spans = `first write after ${Math.round(firstMs)} ms; ${seconds.toFixed(2)} s in all, ${Math.round(endMs)} ms of them after the last write`
  const parts = `${(part * 100).toFixed(1)} % of the budget used, ${(fullestPart * 100).toFixed(1)} % of that of the fullest range`
  return `${spans}; ${parts}, ${throttledOperations} operations throttled`
}

function medianOf(loads: readonly Load[]): Load {
  const middle = (of: (load: Load) => number): number => loads.map(of).toSorted((a, b) => a - b)[loads.length >> 1]
  return {
    firstMs: middle(({ firstMs }) => firstMs),
    seconds: middle(({ seconds }) => seconds),
    endMs: middle(({ endMs }) => endMs),
    part: middle(({ part }) => part),
    fullestPart: middle(({ fullestPart }) => fullestPart),
    throttledOperations: middle(({ throttledOperations }) => throttledOperations)
  }
}

async function loadOnce(command: string, file: string): Promise<Load> {
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
    let lastMs = 0
    let used = 0
    const look = async (): Promise<void> => {
      const ru = (await usageOf(emulator)).usedRu
      if (ru === used) return
      used = ru
      lastMs = performance.now() - start
      if (firstMs === 0) firstMs = lastMs
    }
    const looking = setInterval(() => void look(), SAMPLE_MS)
    const args = ['load', '--from', 'VIN', '--to', `${emulator.endpoint}d/c`, '-q', '--no-checkpoint', file]
    await once(spawn(process.execPath, [command, ...args], { stdio: 'inherit' }), 'exit')
    const wholeMs = performance.now() - start
    clearInterval(looking)
    const { usedRu, fullestRu, throttledOperations } = await usageOf(emulator)
    return {
      firstMs,
      seconds: wholeMs / 1000,
      endMs: wholeMs - lastMs,
      part: (usedRu * 1000) / (RU_PER_SECOND * wholeMs),
      fullestPart: (fullestRu * RANGES * 1000) / (RU_PER_SECOND * wholeMs),
      throttledOperations
    }
  } finally {
    await emulator.stop()
  }
}

async function usageOf(emulator: EmulatorProcess): Promise<Usage & { readonly fullestRu: number }> {
  const { containers } = (await control(emulator, 'GET', 'report')) as { containers: { ranges: Usage[] }[] }
  const { ranges } = containers[0]
  return {
    usedRu: ranges.reduce((sum, { usedRu }) => sum + usedRu, 0),
    fullestRu: Math.max(...ranges.map(({ usedRu }) => usedRu)),
    throttledOperations: ranges.reduce((sum, { throttledOperations }) => sum + throttledOperations, 0)
  }
}

interface Usage {
  readonly usedRu: number
  readonly throttledOperations: number
}
