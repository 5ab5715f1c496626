import type { PlanDefinition } from '@keystamp/core'
import { createTelemetry } from '@keystamp/lab'
import type { Command } from 'commander'
import { countLoad } from '../demo/count-load.ts'
import { percent, showLoad } from '../demo/show-load.ts'
import { EXIT_CODES, type ExitCode } from '../exit-codes.ts'
import type { Surroundings } from '../surroundings.ts'

const RANGES = 20
const RECORDS = 100_000
const into = '/partitionKey'
const from = [{ field: '/day' }] as const

const KEYS: readonly { readonly title: string; readonly plan: PlanDefinition }[] = [
  { title: 'The date alone', plan: { into, from } },
  { title: 'The date and a suffix from 1 to 400, computed from the VIN', plan: { into, from, suffix: { by: '/VIN', count: 400 } } },
  { title: 'The same with even labels', plan: { into, from, suffix: { by: '/VIN', count: 400, labels: 'even' } } }
]

/** `keystamp demo`: the same day of telemetry under three keys. */
export function addDemo(program: Command, surroundings: Surroundings, finish: (code: ExitCode) => void): void {
  program
    .command('demo')
    .description('Show what a good and a bad key do to the same load. Needs nothing but this machine.')
    .addHelpText('after', '\nExample:\n  $ keystamp demo\n')
    .action(() => {
      showKeys((line) => surroundings.stdout.write(`${line}\n`), surroundings.now)
      finish(EXIT_CODES.ok)
    })
}

function showKeys(print: (line: string) => void, now: () => number): void {
  const records = dayOfTelemetry()
  print(`${RECORDS.toLocaleString('en')} records of one day of vehicle telemetry, about 1 KB each, over ${RANGES} physical partitions.`)
  print('Where each record lands is computed with the hash of Cosmos DB itself; nothing is written anywhere.')
  const usable = KEYS.map(({ title, plan }) => {
    const load = countLoad(plan, records, RANGES, now)
    print(`\n${title}:  ${JSON.stringify(plan)}`)
    for (const line of showLoad(load)) print(line)
    return percent(load.usable)
  })
  print(`\nA key of time alone uses one partition of what you bought: ${usable[0]}. A suffix that readers can compute uses ${usable[1]}.`)
  print(`Even labels put one suffix into each equal slice of the hash space, and use ${usable[2]}; readers compute them just the same.`)
}

function dayOfTelemetry(): readonly Uint8Array[] {
  const { big } = createTelemetry(42)
  // one in a hundred comes with a key of its own, which is another story
  return Array.from({ length: RECORDS }, () => Buffer.from(JSON.stringify({ ...big(), day: '2018-08-09', partitionKey: undefined })))
}
