import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { Readable, type Writable } from 'node:stream'
import { createTelemetry } from '@keystamp/testkit'

export const question = 'How much memory does `keystamp stamp` take, and does it grow with the input?'

const COMMAND = resolve('packages/cli/bin/keystamp.mjs')
const REPORTER = new URL('stream/report-memory.js', import.meta.url).href
const GIGABYTES = (process.env['KEYSTAMP_BENCH_GB'] ?? '2,4').split(',').map(Number)

/** Generates lines and an array into a pipe, and discards the output. */
export async function run(report: (line: string) => void): Promise<void> {
  for (const gigabytes of GIGABYTES) {
    report(`  ${gigabytes} GB of lines      ${await measurePeak([], pieces(gigabytes * 1e9, ['', '\n', '\n']))}`)
    report(
      `  ${gigabytes} GB in one array  ${await measurePeak(['--array'], pieces(gigabytes * 1e9, ['[', ',', ']']))}`
    )
  }
}

async function measurePeak(options: readonly string[], input: Iterable<Buffer>): Promise<string> {
  const start = performance.now()
  const args = [
    '--import',
    REPORTER,
    COMMAND,
    'stamp',
    '--from',
    'deviceId,date',
    '--into',
    '/key',
    '--quiet',
    ...options
  ]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'inherit', 'pipe'] })
  const [, peak, [code]] = await Promise.all([
    pipeline(Readable.from(input), child.stdin as Writable),
    text(child.stdio[3] as Readable),
    once(child, 'exit') as Promise<[number]>
  ])
  if (code !== 0) throw new Error(`keystamp stamp ended with ${code}.`)
  return `${Number(peak).toFixed(0).padStart(4)} MB resident at most, ${((performance.now() - start) / 1000).toFixed(0)} s`
}

const RECORDS = 4096
const PIECES = 64

/** Generates records of about 1 KB in pieces of 64 KB, the same ones for the same size, without holding all of them. */
function* pieces(bytes: number, [open, between, close]: readonly [string, string, string]): Generator<Buffer> {
  const telemetry = createTelemetry(42)
  const each = RECORDS / PIECES
  const records = Array.from({ length: RECORDS }, () => JSON.stringify(telemetry.big()))
  const made = Array.from({ length: PIECES }, (_, at) =>
    Buffer.from(between + records.slice(at * each, (at + 1) * each).join(between))
  )
  const first = made[0].subarray(between.length)
  yield Buffer.concat([Buffer.from(open), first])
  let written = first.length
  for (let at = 1; written < bytes; at++) {
    const piece = made[at % PIECES]
    written += piece.length
    yield piece
  }
  yield Buffer.from(close)
}
