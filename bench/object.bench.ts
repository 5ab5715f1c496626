import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createPlan, type PlanDefinition } from '@keystamp/core'
import { type Contestant, lineOf, measure } from './measure.ts'

export const question = 'What does stamping an object cost, compared with a template string without checks?'

interface Telemetry {
  deviceId: string
  date: number
  day: string
  vin: string
  speed: number
  partitionKey?: string
}

// few enough that the garbage collector does not copy them repeatedly
const COUNT = 1000
const EFFORT = { records: COUNT, repeats: 100 }
const into = '/partitionKey'
const two: PlanDefinition = { into, from: [{ field: '/deviceId' }, { field: '/date' }] }
const day: PlanDefinition = { into, from: [{ field: '/day' }] }

/** Each group runs in a process of its own, as a program with one or two plans would. */
const GROUPS: Readonly<Record<string, () => readonly Contestant[]>> = {
  'two components': () => [template(), stamping('plan.stamp, two components', two)],
  'a computed suffix': () => [
    stamping('plan.stamp, two components', two),
    stamping('... and a computed suffix', { ...two, suffix: { by: '/vin', count: 400 } })
  ],
  'an even label': () => [
    stamping('plan.stamp, one component', day),
    stamping('... and an even label of a known base', { ...day, suffix: { by: '/vin', count: 400, labels: 'even' } })
  ]
}

/** Compares stamping an object with a hand-written template string, and with a plan that has a suffix. */
export async function run(report: (line: string) => void): Promise<void> {
  for (const group of Object.keys(GROUPS)) {
    const child = spawnSync(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), group], {
      encoding: 'utf8'
    })
    if (child.status !== 0) throw new Error(child.stderr)
    report(child.stdout.trimEnd())
  }
}

function measureGroup(group: string): void {
  const measured = measure(GROUPS[group](), EFFORT)
  for (const each of measured) console.log(lineOf(each))
  const [base, ...others] = measured
  if (group !== 'two components')
    for (const { nanos } of others)
      console.log(`  ${'difference'.padEnd(56)} ${(nanos - base.nanos).toFixed(1).padStart(8)} ns`)
}

function template(): Contestant {
  return over('template string and assignment', (record) => {
    record.partitionKey = `${record.deviceId}-${record.date}`
  })
}

function stamping(name: string, definition: PlanDefinition): Contestant {
  const { stamp } = createPlan(definition)
  return over(name, (record) => stamp(record))
}

function over(name: string, each: (record: Telemetry) => unknown): Contestant {
  let records: Telemetry[] = []
  return {
    name,
    prepare: () => {
      records = Array.from({ length: COUNT }, (_, index) => telemetry(index))
    },
    run: () => {
      for (const record of records) each(record)
    }
  }
}

function telemetry(index: number): Telemetry {
  const number = String(index).padStart(6, '0')
  return {
    deviceId: `abc-${number}`,
    date: 2016 + (index % 4),
    day: '2018-08-09',
    vin: `1FTFW1ET5DF${number}`,
    speed: index % 200
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) measureGroup(process.argv[2] ?? 'two components')
