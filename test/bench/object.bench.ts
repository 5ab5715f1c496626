import { createPlan } from '@keystamp/core'

import { lineOf, measure } from './measure.ts'

export const question = 'What does stamping an object cost beside a template string that checks nothing?'

interface Telemetry {
  deviceId: string
  date: number
  day: string
  vin: string
  speed: number
  partitionKey?: string
}

// few enough to stay out of the way of the garbage collector, which would move them all again and again
const COUNT = 1000

/** Objects in, objects out: the hand-written template string, and plans with and without a suffix. */
export async function run(report: (line: string) => void): Promise<void> {
  const joined = createPlan({ into: '/partitionKey', from: [{ field: '/deviceId' }, { field: '/date' }] })
  const suffixed = createPlan({
    into: '/partitionKey',
    from: [{ field: '/deviceId' }, { field: '/date' }],
    suffix: { by: '/vin', count: 400 }
  })
  const even = createPlan({ into: '/partitionKey', from: [{ field: '/day' }], suffix: { by: '/vin', count: 400, labels: 'even' } })
  const single = createPlan({ into: '/partitionKey', from: [{ field: '/day' }] })
  let records: Telemetry[] = []
  const fresh = (): void => {
    records = Array.from({ length: COUNT }, (_, index) => telemetry(index))
  }
  const over = (name: string, each: (record: Telemetry) => unknown) => ({
    name,
    prepare: fresh,
    run: () => {
      for (const record of records) each(record)
    }
  })
  const template = over('template string and assignment', (record) => {
    record.partitionKey = `${record.deviceId}-${record.date}`
  })
  const effort = { records: COUNT, repeats: 100 }
  for (const each of measure([template, over('plan.stamp, two components', (record) => joined.stamp(record))], effort)) report(lineOf(each))
  report('  With more plans at work in the same process:')
  const others = [
    over('plan.stamp, two components', (record) => joined.stamp(record)),
    over('... and a computed suffix', (record) => suffixed.stamp(record)),
    over('plan.stamp, one component', (record) => single.stamp(record)),
    over('... and an even label of a known base', (record) => even.stamp(record))
  ]
  for (const each of measure(others, effort)) report(lineOf(each))
}

function telemetry(index: number): Telemetry {
  return {
    deviceId: `abc-${String(index % 5000).padStart(6, '0')}`,
    date: 2016 + (index % 4),
    day: '2018-08-09',
    vin: `1FTFW1ET5DF${String(index).padStart(6, '0')}`,
    speed: index % 200
  }
}
