import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { residentMbOf, tenthsOf } from './load/proc.ts'
import { runLoadCommand } from './load/run-load-command.ts'
import { startLoadTarget } from './load/target.ts'
import { writeTelemetry } from './load/telemetry-file.ts'

export const question = 'Does the memory of a load stay flat over ten million records?'

const RECORDS = Number(process.env['KEYSTAMP_BENCH_RECORDS'] ?? 10_000_000)
const FILE_RECORDS = 50_000
const EVERY_MS = 500

/** Loads the same lines repeatedly, so that the emulator does not grow; reads resident memory twice a second. */
export async function run(report: (line: string) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'keystamp-'))
  const emulator = await startLoadTarget()
  try {
    const file = join(folder, 'telemetry.ndjson')
    await writeTelemetry(file, FILE_RECORDS)
    const files = Array.from({ length: Math.max(1, Math.round(RECORDS / FILE_RECORDS)) }, () => file)
    const samples: number[] = []
    const args = [
      '--from',
      'VIN',
      '--to',
      `${emulator.endpoint}d/c`,
      '-q',
      '--checkpoint',
      join(folder, 'checkpoint'),
      ...files
    ]
    const { seconds, maxRSS } = await runLoadCommand(args, ({ pid }: ChildProcess) => {
      const timer = setInterval(() => samples.push(residentMbOf(pid!)), EVERY_MS)
      return () => clearInterval(timer)
    })
    const records = files.length * FILE_RECORDS
    report(
      `  ${records.toLocaleString('en')} records of 1 KB in ${Math.round(seconds)} s (${Math.round(records / seconds).toLocaleString('en')} a second)`
    )
    report(
      `  resident memory, maximum in each tenth of the time: ${tenthsOf(samples).join(', ')} MB; at most ${Math.round(maxRSS / 1024)} MB`
    )
  } finally {
    await emulator.stop()
    await rm(folder, { recursive: true })
  }
}
