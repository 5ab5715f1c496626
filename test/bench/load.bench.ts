import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmulatorProcess, startEmulatorProcess } from '@keystamp/emulator'
import { createTelemetry } from '@keystamp/lab'

export const question = 'How fast does `keystamp load` write 1 KB lines, what does a record cost each process, and does memory stay flat?'

const SIZES = [100_000, 400_000]

/** A file through the command in a process of its own, into an emulator in another that refuses nothing and waits for nothing. */
export async function run(report: (line: string) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'keystamp-'))
  try {
    for (const records of SIZES) {
      const file = join(folder, `${records}.ndjson`)
      await writeTelemetry(file, records)
      report(await loadOnce(file, records))
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function loadOnce(file: string, records: number): Promise<string> {
  const emulator = await startEmulatorProcess({ ranges: 4, ruPerSecond: 1_000_000, auth: 'off', operationLog: 0 })
  try {
    await create(`${emulator.endpoint}dbs`, { id: 'd' })
    await create(`${emulator.endpoint}dbs/d/colls`, { id: 'c', partitionKey: { paths: ['/partitionKey'], kind: 'Hash', version: 2 } })
    const before = cpuSeconds(emulator)
    const { seconds, userCPUTime, systemCPUTime, maxRSS } = await command([
      'load',
      '--from',
      'VIN',
      '--to',
      `${emulator.endpoint}d/c`,
      '-q',
      file
    ])
    const emulatorUs = ((cpuSeconds(emulator) - before) * 1e6) / records
    const loaderUs = (userCPUTime + systemCPUTime) / records
    const limit = Math.round(1e6 / Math.max(loaderUs, emulatorUs))
    return (
      `  ${records.toLocaleString('en')} records: ${Math.round(records / seconds).toLocaleString('en')} records/s; ` +
      `CPU a record ${loaderUs.toFixed(1)} us here, ${emulatorUs.toFixed(1)} us in the emulator, so that a core each could do ` +
      `${limit.toLocaleString('en')} records/s; at most ${Math.round(maxRSS / 1024)} MB here`
    )
  } finally {
    await emulator.stop()
  }
}

async function writeTelemetry(path: string, records: number): Promise<void> {
  const { big } = createTelemetry(42)
  const file = await open(path, 'w')
  for (let written = 0; written < records; written += 1000) {
    const lines = Array.from({ length: 1000 }, () => `${JSON.stringify({ ...big(), partitionKey: undefined })}\n`)
    await file.appendFile(lines.join(''))
  }
  await file.close()
}

async function create(url: string, body: object): Promise<void> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`The emulator answered ${answer.status}.`)
}

interface Used {
  readonly userCPUTime: number
  readonly systemCPUTime: number
  readonly maxRSS: number
}

const MEASURED = `
import { main } from 'keystamp'
await main(process)
console.log(JSON.stringify(process.resourceUsage()))
`

async function command(args: readonly string[]): Promise<Used & { readonly seconds: number }> {
  const start = performance.now()
  const child = spawn(process.execPath, ['--input-type=module', '-e', MEASURED, 'keystamp', ...args], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let text = ''
  for await (const chunk of child.stdout) text += String(chunk)
  return { ...(JSON.parse(text) as Used), seconds: (performance.now() - start) / 1000 }
}

const TICKS_PER_SECOND = 100

/** What a process has used so far; 0 where the system does not say. */
function cpuSeconds({ pid }: EmulatorProcess): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return 0
  }
}
