import { execFileSync } from 'node:child_process'
import { rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OBJECTS } from './stream/contestants.ts'
import { type BenchData, makeData } from './stream/make-data.ts'

export const question = 'How much faster are the streams than hand-written code, and what does a stage cost?'

const FOLDER = resolve('bench/data')
const CHILD = fileURLToPath(new URL('./stream/child.js', import.meta.url))
const ROUNDS = Number(process.env['KEYSTAMP_BENCH_ROUNDS'] ?? 5)
const BYTES = Number(process.env['KEYSTAMP_BENCH_BYTES'] ?? 60_000_000)

interface Group {
  readonly title: string
  readonly input: string
  readonly output: string
  /** Names of the contestants; the others are compared with the first one. */
  readonly names: readonly string[]
}

/** Runs every contestant in a process of its own, in turn. A ratio is the median over the rounds. */
export async function run(report: (line: string) => void): Promise<void> {
  const data = await makeData(FOLDER, BYTES)
  const target = join(tmpdir(), `keystamp-bench-${process.pid}.ndjson`)
  try {
    for (const group of groupsOver(data, target)) await runGroup(group, report)
  } finally {
    rmSync(target, { force: true })
  }
}

function groupsOver(data: BenchData, target: string): readonly Group[] {
  const byHand = 'split2, parse, spread, stringify'
  const lines = [
    byHand,
    'stampLines, 64 KB',
    'stampLines, 256 KB',
    'stampLines, a function of the record, 64 KB',
    'stampFiles'
  ]
  return [
    {
      title: 'lines of 1 KB, to /dev/null',
      input: data.big,
      output: '/dev/null',
      names: [...lines, 'copied by Node, 64 KB']
    },
    {
      title: 'lines of 1 KB, file to file',
      input: data.big,
      output: target,
      names: [byHand, 'stampFiles', 'copied by Node, 64 KB']
    },
    { title: 'lines of 156 bytes, to /dev/null', input: data.small, output: '/dev/null', names: lines.slice(0, 4) },
    {
      title: 'an array of records of 1 KB to lines, to /dev/null',
      input: data.array,
      output: '/dev/null',
      names: ['stream-json as documented', 'stream-json, tuned', 'stampArray, 256 KB', 'stampFiles, array']
    },
    {
      title: 'objects',
      input: '-',
      output: '-',
      names: [
        'bare PassThrough',
        'no stage',
        'stamp, a record a chunk',
        'no stage, arrays of 100',
        'stamp, arrays of 100'
      ]
    }
  ]
}

async function runGroup({ title, input, output, names }: Group, report: (line: string) => void): Promise<void> {
  const rounds = Array.from({ length: ROUNDS }, () => names.map((name) => runChild(name, input, output)))
  const megabytes = input === '-' ? 0 : statSync(input).size / 1e6
  report(`  ${title}${megabytes === 0 ? '' : `, ${megabytes.toFixed(0)} MB`}`)
  for (const [at, name] of names.entries()) {
    const runs = rounds.map((round) => round[at])
    const ms = medianOf(runs.map((each) => each.ms))
    const pace =
      megabytes === 0
        ? `${((ms * 1e6) / OBJECTS).toFixed(0)} ns a record`
        : `${((megabytes * 1000) / ms).toFixed(0)} MB/s`
    const byClock = ratioOf(rounds.map((round) => round[0].ms / round[at].ms))
    const byCpu = ratioOf(rounds.map((round) => round[0].cpuMs / round[at].cpuMs))
    const memory = `${Math.max(...runs.map((each) => each.residentMb)).toFixed(0)} MB`
    report(
      `    ${name.padEnd(44)} ${ms.toFixed(0).padStart(6)} ms ${pace.padStart(15)}   clock ${byClock}   CPU ${byCpu}  ${memory}`
    )
  }
}

function ratioOf(ratios: readonly number[]): string {
  return `${medianOf(ratios).toFixed(2).padStart(6)}x (${Math.min(...ratios).toFixed(1)} to ${Math.max(...ratios).toFixed(1)})`
}

interface ChildRun {
  readonly ms: number
  readonly cpuMs: number
  readonly residentMb: number
}

function runChild(name: string, input: string, output: string): ChildRun {
  const args = [CHILD, name, String(timesOf(name)), input, output]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as ChildRun
}

// the slow contestants run long enough with a single pass
function timesOf(name: string): number {
  return name.startsWith('split2') || name.startsWith('stream-json') ? 1 : 4
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
