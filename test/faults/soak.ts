// Runs fault scenarios of the sink many times, while load processes consume processor time:
//   npm run test:soak -- --results soak.jsonl        runs each scenario in which partitions move 100 times
//   npm run test:soak -- --results soak.jsonl --scenario frozen-beyond-session,missed-generation --runs 20
//     --load 2         number of load processes (default: 2)
//     --parallel 1     number of runs at the same time (default: 1)
//     --minutes 60     starts no run after this time (default: no limit)
//     --summary        starts no run, but prints the table of the results file
// Each run appends one line of JSON to the results file. A seed that has a line is not run again, so the same command
// resumes. The folder `<results file>.failed` gets the logs of each failed run and the commits of its group.
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
/**
 * After this number of runs, a new broker is started: runs do not delete their topics, and many topics slow down a
 * broker.
 */
const RUNS_PER_BROKER = 25
const RUN_TIMEOUT_MS = 5 * 60_000
const MAX_VIOLATIONS = 10

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
  if (!scenarios.has(name))
    refuse(`There is no scenario "${name}". The scenarios are ${[...scenarios.keys()].join(', ')}.`)
const results = options.results ?? refuse('--results is missing: the file to which each run appends a line.')
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
    console.log('The current runs are completed first. The same command resumes.')
  })
}

if (!options.summary) await soak()
console.log(summarize(readRuns(results)))
process.exit(readRuns(results).every(({ outcome }) => outcome === 'passed') ? 0 : 1)

async function soak(): Promise<void> {
  const planned = [...planRuns(names, runs, readRuns(results))]
  const endMs = performance.now() + minutes * 60_000
  console.log(`${planned.length} runs to do, ${runs * names.length - planned.length} done. Commit ${commit}.`)
  const endLoad = startLoad(load)
  try {
    while (planned.length > 0 && !end.signal.aborted && performance.now() < endMs) {
      const portion = planned.splice(0, RUNS_PER_BROKER)
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
        `${done.scenario} ${done.seed}: ${done.outcome} in ${done.seconds} s${done.lateRequests > 0 ? `, ${done.lateRequests} late requests` : ''}`
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
    return { scenario: name, seed, commit, seconds, outcome, lateRequests, wrong: wrong.slice(0, MAX_VIOLATIONS) }
  }
  try {
    const result = await Promise.race([runScenario(scenario, seed, brokers), rejectAfterTimeout()])
    const wrong = judge(scenario, result)
    if (wrong.length > 0) keepFailedRun(results, { name, seed, wrong, result })
    return line(wrong.length === 0 ? 'passed' : 'failed', countLateRequests(scenario, result), wrong)
  } catch (error) {
    const wrong = [String(error)]
    if (error instanceof BrokenRun) keepFailedRun(results, { name, seed, wrong, result: error.evidence })
    return line('broken', 0, wrong)
  }
}

function rejectAfterTimeout(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`The run did not end in ${RUN_TIMEOUT_MS / 1000} s.`)), RUN_TIMEOUT_MS).unref()
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

function wholeNumber(name: 'runs' | 'load' | 'parallel' | 'minutes', minimum: number = 1): number {
  const value = Number(options[name])
  if (!Number.isInteger(value) || value < minimum) refuse(`--${name} takes a whole number of at least ${minimum}.`)
  return value
}

function refuse(sentence: string): never {
  console.error(sentence)
  process.exit(2)
}
