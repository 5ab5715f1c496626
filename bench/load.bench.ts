import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EmulatorProcess } from '@keystamp/emulator'
import { cpuSecondsOf } from './load/proc.ts'
import { sendRaw } from './load/raw-client.ts'
import { runLoadCommand } from './load/run-load-command.ts'
import { startLoadTarget } from './load/target.ts'
import { writeTelemetry } from './load/telemetry-file.ts'

export const question = 'How fast is a load compared with the limit of the emulator, and what does a record cost?'

const RECORDS = Number(process.env['KEYSTAMP_BENCH_RECORDS'] ?? 200_000)
const ROUNDS = 3

/**
 * Loads a file with `keystamp load`, into an emulator that refuses nothing, each in a process of its own. Runs in turn
 * with a client that only sends prepared requests.
 */
export async function run(report: (line: string) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'keystamp-'))
  try {
    const file = join(folder, 'telemetry.ndjson')
    await writeTelemetry(file, RECORDS)
    report(`  ${RECORDS.toLocaleString('en')} records:`)
    for (let round = 0; round < ROUNDS; round++) {
      report(`  ${'prepared requests'.padEnd(22)} ${await withTarget(sendOnce)}`)
      report(`  ${'keystamp load'.padEnd(22)} ${await withTarget((emulator) => loadOnce(emulator, file))}`)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function withTarget(work: (emulator: EmulatorProcess) => Promise<string>): Promise<string> {
  const emulator = await startLoadTarget()
  try {
    return await work(emulator)
  } finally {
    await emulator.stop()
  }
}

async function sendOnce(emulator: EmulatorProcess): Promise<string> {
  const own = process.cpuUsage()
  const before = cpuSecondsOf(emulator.pid)
  const ms = await sendRaw(emulator.endpoint, RECORDS)
  const { user, system } = process.cpuUsage(own)
  return lineOf(ms / 1000, (user + system) / RECORDS, cpuSecondsOf(emulator.pid) - before)
}

async function loadOnce(emulator: EmulatorProcess, file: string): Promise<string> {
  const before = cpuSecondsOf(emulator.pid)
  const { seconds, userCPUTime, systemCPUTime, maxRSS } = await runLoadCommand([
    '--from',
    'VIN',
    '--to',
    `${emulator.endpoint}d/c`,
    '-q',
    file
  ])
  const line = lineOf(seconds, (userCPUTime + systemCPUTime) / RECORDS, cpuSecondsOf(emulator.pid) - before)
  return `${line}; at most ${Math.round(maxRSS / 1024)} MB`
}

function lineOf(seconds: number, clientUs: number, emulatorSeconds: number): string {
  const emulatorUs = (emulatorSeconds * 1e6) / RECORDS
  return (
    `${Math.round(RECORDS / seconds).toLocaleString('en')} records/s; CPU a record ${clientUs.toFixed(1)} us here and ${emulatorUs.toFixed(1)} us ` +
    `in the emulator, which with a core of its own could take ${Math.round(1e6 / emulatorUs).toLocaleString('en')} records/s`
  )
}
