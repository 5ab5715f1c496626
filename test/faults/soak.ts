// Runs fault scenarios of the sink many times, while other processes take all processors:
//   npm run test:soak -- --results soak.jsonl                          100 runs of each scenario about ownership
//   npm run test:soak -- --results soak.jsonl --scenario frozen-beyond-session,missed-generation --runs 20
//     --load 2         processes that do nothing but take processor time (default: 2)
//     --parallel 1     runs at a time (default: 1)
//     --minutes 60     begins no run after that (default: no limit)
//     --summary        runs nothing, prints the table of the results file
// Each run appends one line of JSON to the results file. A seed that has a line is not run again: the same command
// resumes.
// The logs of a failed run and the commits of its group are in the folder `<results file>.failed`.
import { type KafkaHandle, startKafka } from '@keystamp/testkit'
import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { countLateRequests, judge } from './sink/judge.ts'
import { readScenarios } from './sink/read-scenarios.ts'
import { BrokenRun, runScenario } from './sink/run-scenario.ts'
import { startLoad } from './soak/load.ts'
import {
  appendRun,
  keepFailedRun,
  type PlannedRun,
  planRuns,
  readRuns,
  type SoakRun,
  summarize
} from './soak/results.ts'

/** The scenarios in which partitions move during writes. */
const OWNERSHIP = [
  'frozen-before-write',
  'frozen-beyond-session',
  'missed-generation',
  'missed-generation-answer-lost',
  'missed-generation-partitions-added',
  'rejoin-while-writing',
  'request-applied-after-takeover',
  'request-applied-long-after-takeover',
  'second-joins-and-leaves',
  'second-joins-during-drain',
  'slow-connection'
]
/** Topics are not deleted, and a broker slows down with their number. */
const RUNS_A_BROKER = 25
const LONGEST_RUN_MS = 5 * 60_000
const MAX_SENTENCES = 10

const { values: options } = parseArgs({
  options: {
    scenario: { type: 'string', default: OWNERSHIP.join(',') },
    runs: { type: 'string', default: '100' },
    load: { type: 'string', default: '2' },
    parallel: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '1000000' },
    results: { type: 'string' },
    summary: { type: 'boolean', default: false }
  }
})
const scenarios = new Map(readScenarios().map((scenario) => [scenario.name, scenario]))
const names = options.scenario.split(',')
for (const name of names)
  if (!scenarios.has(name)) refuse(`There is no scenario "${name}". There are ${[...scenarios.keys()].join(', ')}.`)
const results = options.results ?? refuse('--results names the file that gets a line for each run.')
const [runs, load, parallel, minutes] = [
  wholeNumber('runs'),
  wholeNumber('load', 0),
  wholeNumber('parallel'),
  wholeNumber('minutes')
]
const commit = currentCommit()

const end = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    end.abort()
    console.log('Ending after the runs that are under way. The same command resumes.')
  })
}

if (!options.summary) await soak()
console.log(summarize(readRuns(results)))
process.exit(readRuns(results).every(({ outcome }) => outcome === 'passed') ? 0 : 1)

async function soak(): Promise<void> {
  const planned = [...planRuns(names, runs, readRuns(results))]
  const endMs = performance.now() + minutes * 60_000
  console.log(`${planned.length} runs to do, ${runs * names.length - planned.length} are done. Commit ${commit}.`)
  const endLoad = startLoad(load)
  try {
    while (planned.length > 0 && !end.signal.aborted && performance.now() < endMs) {
      const portion = planned.splice(0, RUNS_A_BROKER)
      await runPortion(portion, endMs)
    }
  } finally {
    endLoad()
  }
}

async function runPortion(portion: PlannedRun[], endMs: number): Promise<void> {
  const kafka = await startBroker()
  const next = async (): Promise<void> => {
    for (
      let run = portion.shift();
      run !== undefined && !end.signal.aborted && performance.now() < endMs;
      run = portion.shift()
    ) {
      const done = await runOne(run, kafka.brokers)
      appendRun(results, done)
      console.log(
        `${done.scenario} ${done.seed}: ${done.outcome} in ${done.seconds} s${done.lateRequests > 0 ? `, ${done.lateRequests} late` : ''}`
      )
    }
  }
  try {
    await Promise.all(Array.from({ length: parallel }, next))
  } finally {
    await kafka.stop()
  }
}

async function runOne({ scenario: name, seed }: PlannedRun, brokers: string): Promise<SoakRun> {
  const scenario = scenarios.get(name)!
  const startMs = performance.now()
  const line = (outcome: SoakRun['outcome'], lateRequests: number, wrong: readonly string[]): SoakRun => {
    const seconds = Number(((performance.now() - startMs) / 1000).toFixed(1))
    return { scenario: name, seed, commit, seconds, outcome, lateRequests, wrong: wrong.slice(0, MAX_SENTENCES) }
  }
  try {
    const result = await Promise.race([runScenario(scenario, seed, brokers), tooLong()])
    const wrong = judge(scenario, result)
    if (wrong.length > 0) keepFailedRun(results, { name, seed, wrong, result })
    return line(wrong.length === 0 ? 'passed' : 'failed', countLateRequests(scenario, result), wrong)
  } catch (error) {
    const wrong = [String(error)]
    if (error instanceof BrokenRun) keepFailedRun(results, { name, seed, wrong, result: error.known })
    return line('broken', 0, wrong)
  }
}

function tooLong(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`The run did not end in ${LONGEST_RUN_MS / 1000} s.`)), LONGEST_RUN_MS).unref()
  })
}

async function startBroker(): Promise<KafkaHandle> {
  const kafka = await startKafka()
  return 'missing' in kafka ? refuse(kafka.missing) : kafka
}

function currentCommit(): string {
  return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain') === '' ? '' : '+'}`
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim()
}

function wholeNumber(name: 'runs' | 'load' | 'parallel' | 'minutes', least: number = 1): number {
  const value = Number(options[name])
  if (!Number.isInteger(value) || value < least) refuse(`--${name} takes a whole number from ${least} on.`)
  return value
}

function refuse(sentence: string): never {
  console.error(sentence)
  process.exit(2)
}
