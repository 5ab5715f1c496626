import { isKeystampError, type Plan, type PartitionKey } from '@keystamp/core'
import type { Command } from 'commander'
import { EXIT_CODES, type ExitCode } from '../exit-codes.ts'
import { createLocator, type Location } from '../locate/locate-key.ts'
import { describeKey } from '../locate/describe-key.ts'
import { addPlanOptions, type PlanOptions } from '../plan/plan-from-options.ts'
import { readPlan } from '../plan/read-plan.ts'
import type { Surroundings } from '../surroundings.ts'
import { UsageError } from '../usage-error.ts'

interface LocateCommandOptions extends PlanOptions {
  readonly key?: string
  readonly ranges?: string
  readonly between?: string
  readonly json?: boolean
}

/** `keystamp locate`: from what is known of a record to its key, hash and range, and back. */
export function addLocate(program: Command, surroundings: Surroundings, finish: (code: ExitCode) => void): void {
  addPlanOptions(program.command('locate').description('Find the key of a record, or every key that partial knowledge can mean.'))
    .argument('[parts]', 'what is known of the record, as JSON')
    .option('--key <key>', 'the other way: take a key apart; a hierarchical one as a JSON array')
    .option('--ranges <count>', 'also name the physical partition, of so many')
    .option('--between <from,to>', 'limits time buckets: two times, such as 2026-01-01,2026-01-31')
    .option('--json', 'a line of JSON per key')
    .addHelpText('after', EXAMPLES)
    .action(async (parts: string | undefined, options: LocateCommandOptions) => {
      surroundings.stdout.write(await locateCommand(parts, options))
      finish(EXIT_CODES.ok)
    })
}

const EXAMPLES = `
Examples:
  $ keystamp locate --plan plan.json '{"date":"2018-08-09","vin":"1FTFW1ET5DFC10312"}' --ranges 20
  $ keystamp locate --plan plan.json '{"date":"2018-08-09"}' --json
  $ keystamp locate --from deviceId,date --key abc-123-2018
`

async function locateCommand(parts: string | undefined, options: LocateCommandOptions): Promise<string> {
  const plan = await readPlan(options)
  const locate = createLocator(plan.partitionKey, options.ranges === undefined ? undefined : toRanges(options.ranges))
  if (options.key !== undefined) return describeKey(plan, toKey(options.key), locate, options.json === true)
  if (parts === undefined) throw new UsageError('Say what is known of the record, as JSON: \'{"deviceId":"abc-123"}\', or name a --key.')
  const locations = keysOf(plan, toParts(parts), options.between).map(locate)
  return locations.map((location) => `${options.json === true ? JSON.stringify(location) : textOf(location)}\n`).join('')
}

/** The exact key where the parts tell it, and otherwise every one that they can mean. */
function keysOf(plan: Plan, parts: object, between: string | undefined): readonly PartitionKey[] {
  try {
    const { older, ...newest } = plan.keyFor(parts)
    return [newest, ...older]
  } catch (error) {
    if (!isKeystampError(error) || error.code !== 'PARTS_MISSING') throw error
    return plan.keysFor(parts, between === undefined ? {} : { between: toTimes(between) })
  }
}

function textOf({ key, epk, range, ranges }: Location): string {
  const place = range !== undefined ? `  range ${range}` : ranges === undefined ? '' : `  ranges ${ranges[0]} to ${ranges[1]}`
  return `${typeof key === 'string' ? key : JSON.stringify(key)}  ${epk}${place}`
}

function toParts(text: string): object {
  let parts: unknown
  try {
    parts = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`What is known of the record must be JSON: ${(error as Error).message}`)
  }
  if (typeof parts === 'object' && parts !== null && !Array.isArray(parts)) return parts
  throw new UsageError('What is known of the record must be a JSON object, such as {"deviceId":"abc-123"}.')
}

function toKey(text: string): unknown {
  if (!text.startsWith('[')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function toRanges(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new UsageError(`--ranges takes a whole number from 1 on, not "${text}".`)
}

function toTimes(text: string): [string, string] {
  const [from, to, ...rest] = text.split(',')
  if (from && to && rest.length === 0) return [from, to]
  throw new UsageError(`--between takes two times with a comma between, not "${text}".`)
}
