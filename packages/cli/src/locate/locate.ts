import { isKeystampError, type Plan, type PartitionKey } from '@keystamp/core'
import { suggestField } from '@keystamp/core/internal'
import { type Between, createLocator, describeKey, type Location, readBetween, readKey } from './read-key.ts'
import { readPlan } from '../plan/read-plan.ts'
import type { Dependencies } from '../dependencies.ts'
import { UsageError } from '../exit-codes.ts'
import type { PlanOptions } from '../plan/plan-from-options.ts'

/** Options of `keystamp locate`. */
export interface LocateCommandOptions extends PlanOptions {
  readonly key?: string
  readonly ranges?: string
  readonly between?: string
  readonly json?: boolean
  readonly quiet?: boolean
}

const LEFT_OUT =
  'keystamp: warning: the plan has a substitute (`missing`) for a part that you left out: this is the key of records without that field; records with the field have other keys.\n'

type Locate = ReturnType<typeof createLocator>

/** Runs `keystamp locate`, and returns the text for standard output. */
export async function locateCommand(
  parts: string | undefined,
  options: LocateCommandOptions,
  { stderr }: Dependencies
): Promise<string> {
  const { key, between, ranges, json = false, quiet = false } = options
  if (key !== undefined && parts !== undefined)
    throw new UsageError('Give either the parts of a record or a --key, not both.')
  if (key !== undefined && between !== undefined)
    throw new UsageError('--between needs the parts of a record, and cannot be combined with --key.')
  const plan = await readPlan(options)
  const locate = createLocator(plan.partitionKey, ranges === undefined ? undefined : toRanges(ranges))
  const answer =
    key === undefined
      ? describeParts(plan, parts, options, locate, stderr)
      : describeKey(plan, readKey(plan, key), locate, json)
  if (!quiet) for (const { message, path } of plan.warnings) stderr.write(`keystamp: warning: ${path}: ${message}\n`)
  return answer
}

function describeParts(
  plan: Plan,
  text: string | undefined,
  { between, json, quiet }: LocateCommandOptions,
  locate: Locate,
  stderr: Dependencies['stderr']
): string {
  if (text === undefined)
    throw new UsageError('Give the known parts of the record as JSON: \'{"deviceId":"abc-123"}\', or name a --key.')
  const parts = toParts(text)
  const keys = keysOf(plan, parts, between)
  if (
    quiet !== true &&
    between === undefined &&
    keyAmongParts(plan, parts) === undefined &&
    isOneOfMany(plan, parts, keys)
  )
    stderr.write(LEFT_OUT)
  const locations = keys.map(locate)
  return locations.map((location) => `${json === true ? JSON.stringify(location) : textOf(location)}\n`).join('')
}

/** The key itself if it is among the parts; else the exact key if the parts determine it; else every possible key. */
function keysOf(plan: Plan, parts: object, between: string | undefined): readonly PartitionKey[] {
  if (between !== undefined) return withKnownParts(plan, parts, keysBetween(plan, parts, readBetween(between)))
  const held = keyAmongParts(plan, parts)
  return held === undefined ? withKnownParts(plan, parts, computedKeys(plan, parts)) : [held]
}

function keyAmongParts(plan: Plan, parts: object): PartitionKey | undefined {
  try {
    return plan.filterFor(parts).key
  } catch {
    // the lookup throws a better error, which names the missing part
    return undefined
  }
}

/** Throws for a part that the plan does not know, since it would have no effect. */
function withKnownParts<T>(plan: Plan, parts: object, keys: T): T {
  plan.filterFor(parts)
  return keys
}

function computedKeys(plan: Plan, parts: object): readonly PartitionKey[] {
  try {
    const { older, ...newest } = plan.keyFor(parts)
    return [newest, ...older]
  } catch (error) {
    if (!isKeystampError(error) || error.code !== 'PARTS_MISSING') throw error
    return listKeys(plan, parts)
  }
}

/** True if a part with a substitute is left out: records with that field have other keys. */
function isOneOfMany(plan: Plan, parts: object, keys: readonly PartitionKey[]): boolean {
  try {
    return plan.keysFor(parts).some(({ key }) => !keys.some((each) => JSON.stringify(each.key) === JSON.stringify(key)))
  } catch {
    return true
  }
}

function listKeys(plan: Plan, parts: object): readonly PartitionKey[] {
  try {
    return plan.keysFor(parts)
  } catch (error) {
    const missing = isKeystampError(error) ? /is missing: (\/[^ ]+?)\.(?: |$)/.exec(error.message)?.[1] : undefined
    const given = missing === undefined ? undefined : suggestField(missing, parts)
    if (given === undefined) throw error
    throw new UsageError(`${(error as Error).message} Is ${given}, which you gave, misspelled?`)
  }
}

function keysBetween(plan: Plan, parts: object, between: Between): readonly PartitionKey[] {
  const keys = plan.keysFor(parts, { between })
  if (JSON.stringify(keys) !== JSON.stringify(keysWithout(plan, parts))) return keys
  throw new UsageError('--between has no effect here: the known parts determine every time bucket of the plan.')
}

function keysWithout(plan: Plan, parts: object): readonly PartitionKey[] | undefined {
  try {
    return plan.keysFor(parts)
  } catch {
    // without times the keys cannot be listed
    return undefined
  }
}

function textOf({ key, epk, range, ranges }: Location): string {
  const physical =
    range !== undefined ? `  range ${range}` : ranges === undefined ? '' : `  ranges ${ranges[0]} to ${ranges[1]}`
  return `${typeof key === 'string' && !isScalar(key) ? key : JSON.stringify(key)}  ${epk}${physical}`
}

/** True for a string that looks like a number, true, false or null. */
function isScalar(text: string): boolean {
  try {
    return typeof JSON.parse(text) !== 'object' || text === 'null'
  } catch {
    return false
  }
}

function toParts(text: string): object {
  let parts: unknown
  try {
    parts = JSON.parse(text)
  } catch (error) {
    if (!/^\s*[{[]/.test(text))
      throw new UsageError(`The parts of the record must be JSON: name the field, as in '{"date":"2018-08-09"}'.`)
    const how = /"/.test(text) ? '' : ', with names and strings in double quotes'
    throw new UsageError(`The parts of the record must be JSON${how}: ${(error as Error).message}`)
  }
  if (typeof parts === 'object' && parts !== null && !Array.isArray(parts)) return parts
  throw new UsageError('The parts of the record must be a JSON object, such as {"deviceId":"abc-123"}.')
}

function toRanges(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new UsageError(`--ranges takes a whole number from 1 to 999,999, not "${text}".`)
}
