// Compares what `keystamp plan` predicts with what `keystamp plan --measure` measures, on workloads whose keys are
// known. Each workload takes about a minute and a half:
//   npm run prove:measure                            all workloads of measured/workloads.ts
//   npm run prove:measure -- --only 'Zipf 1.1,ids'   some of them
//   npm run prove:measure -- --parallel 1            one at a time, for a slow machine
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import type { Compared, MeasuredKey, PlanReport } from '@keystamp/planner'
import { type MeasuredWorkload, WORKLOADS } from './measured/workloads.ts'

/** The measured share of the RU/s is at most this number of percentage points from the predicted one. */
const MAX_POINTS = 5
/** RU and partitions are at most this part above or below the predicted ones. */
const MAX_RATIO = 0.1
/** Below this share, even the busiest partition did not get enough requests: the machine was the limit. */
const MIN_BUSIEST_USE = 0.9
/** Slower answers do not fill the partitions next to the busiest one. */
const MAX_REQUEST_MS = 100
const ATTEMPTS = 3

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '20' },
    parallel: { type: 'string', default: '2' }
  }
})
const wanted = options.only?.split(',')
const chosen = WORKLOADS.filter(({ name }) => wanted === undefined || wanted.includes(name))
if (chosen.length === 0) {
  console.error(`No workload has this name. There are: ${WORKLOADS.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}
const folder = await mkdtemp(join(tmpdir(), 'keystamp-measure-'))
console.log('Predicted / measured. The emulator charges and throttles as the documentation of Cosmos DB says.')
console.log(line(['workload', 'key', 'ranges', 'usable, %', 'RU a write', 'worst query RU', 'busiest', 'ms', '']))
let [keys, failures] = [0, 0]
try {
  const waiting = [...chosen.entries()]
  await Promise.all(Array.from({ length: Number(options.parallel) }, () => work(waiting)))
} finally {
  await rm(folder, { recursive: true })
}
console.log(
  `${keys} keys of ${chosen.length} workloads, ${failures} outside of ${MAX_POINTS} points and ${MAX_RATIO * 100} %.`
)
process.exitCode = failures === 0 ? 0 : 1

async function work(waiting: (readonly [number, MeasuredWorkload])[]): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [number, workload] = next
    for (const measured of await measure(workload, join(folder, String(number)))) {
      const problems = problemsOf(measured)
      keys++
      if (problems.length > 0) failures++
      console.log(lineOf(workload.name, measured, problems))
    }
  }
}

/** Measures the keys of a workload, again if the machine was the limit. */
async function measure(workload: MeasuredWorkload, path: string): Promise<readonly MeasuredKey[]> {
  const [sample, plan] = [`${path}.ndjson`, `${path}.json`]
  const records = workload.records().map((record) => JSON.stringify(record))
  await writeFile(sample, `${records.join('\n')}\n`)
  const { key } = workload
  if (typeof key !== 'string') await writeFile(plan, JSON.stringify(key))
  const args = [
    ...['packages/cli/bin/keystamp.mjs', 'plan', sample, '--writes', '12000/s', '--operation', 'create', '--ttl', '1h'],
    ...(typeof key === 'string' ? ['--present-key', key] : ['--compare', plan]),
    ...workload.queries.flatMap((query) => ['--query', query]),
    ...['--measure', '--measure-seconds', options.seconds, '--json']
  ]
  let measured: readonly MeasuredKey[] = []
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 << 20 })
    measured = (JSON.parse(stdout) as PlanReport).measured ?? []
    if (!measured.some(isMachineLimit)) break
  }
  if (measured.length === 0) throw new Error(`No key of the workload ${workload.name} was measured.`)
  return measured.map((each) => ({ ...each, candidate: each.candidate.replace(plan, 'the plan') }))
}

function isMachineLimit({ busiestPartitionUse, requestMs }: MeasuredKey): boolean {
  return busiestPartitionUse < MIN_BUSIEST_USE || requestMs > MAX_REQUEST_MS
}

function problemsOf(key: MeasuredKey): readonly string[] {
  const { usableShare, writeRu, queries } = key
  const points = 100 * Math.abs(usableShare.measured - usableShare.predicted)
  return [
    ...(isMachineLimit(key) ? ['the machine was the limit'] : []),
    ...(points > MAX_POINTS ? [`usable share: ${points.toFixed(1)} points`] : []),
    ...(errorOf(writeRu) > MAX_RATIO ? ['RU of a write'] : []),
    ...queries.flatMap(({ name, ru, ranges }) => [
      ...(errorOf(ru) > MAX_RATIO ? [`RU of ${name}: ${ru.predicted.toFixed(2)} / ${ru.measured.toFixed(2)}`] : []),
      ...(errorOf(ranges) > MAX_RATIO
        ? [`ranges of ${name}: ${ranges.predicted.toFixed(2)} / ${ranges.measured.toFixed(2)}`]
        : [])
    ])
  ]
}

function errorOf({ predicted, measured }: Compared): number {
  return Math.abs(measured / predicted - 1)
}

function lineOf(workload: string, key: MeasuredKey, problems: readonly string[]): string {
  const { usableShare, writeRu, queries } = key
  const worst = queries.toSorted((a, b) => errorOf(b.ru) - errorOf(a.ru)).at(0)
  return line([
    workload,
    key.candidate,
    String(key.partitions),
    `${(100 * usableShare.predicted).toFixed(1)} / ${(100 * usableShare.measured).toFixed(1)}`,
    both(writeRu),
    worst === undefined ? '-' : both(worst.ru),
    key.busiestPartitionUse.toFixed(2),
    key.requestMs.toFixed(0),
    problems.join('; ')
  ])
}

function both({ predicted, measured }: Compared): string {
  return `${predicted.toFixed(2)} / ${measured.toFixed(2)}`
}

function line([workload, key, ranges, usable, write, query, busiest, ms, problems]: readonly string[]): string {
  return [
    workload.slice(0, 22).padEnd(22),
    (key.length > 34 ? `${key.slice(0, 31)}...` : key).padEnd(34),
    ranges.padStart(6),
    usable.padStart(13),
    write.padStart(13),
    query.padStart(15),
    busiest.padStart(7),
    ms.padStart(4),
    problems
  ]
    .join('  ')
    .trimEnd()
}
