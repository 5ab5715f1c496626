import { readFile } from 'node:fs/promises'
import {
  createPlan,
  parsePlanText,
  PlanError,
  type Plan,
  type PlanDefinition,
  type PlanOptions as Extra
} from '@keystamp/core'
import { systemReason } from '@keystamp/core/internal'
import { UsageError } from '../exit-codes.ts'
import { checkPlanOptions, planFromOptions, type PlanOptions } from './plan-from-options.ts'

/** Reads the key plan of a command line: a file, or `--from` and the options that need it. */
export async function readPlan(options: PlanOptions, extra: Extra = {}): Promise<Plan> {
  return toPlan(await readDefinition(options), options.plan, extra)
}

/** Reads the definition of the key plan of a command line. */
export async function readDefinition(options: PlanOptions): Promise<PlanDefinition> {
  checkPlanOptions(options)
  const { plan } = options
  const definition = plan === undefined ? planFromOptions(options) : parsePlan(plan, await readText(plan))
  return definition as PlanDefinition
}

/** Reads and checks the definition of a key plan from a file. */
export async function readPlanDefinition(path: string): Promise<PlanDefinition> {
  const definition = parsePlan(path, await readText(path))
  toPlan(definition, path, {})
  return definition as PlanDefinition
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new UsageError(`The plan ${path} cannot be read: ${systemReason(error)}.`)
  }
}

function parsePlan(path: string, text: string): unknown {
  try {
    return parsePlanText(text)
  } catch (error) {
    throw new UsageError(`The plan ${path} is not valid JSON: ${describeJsonError(text, error as Error)}`)
  }
}

function toPlan(definition: unknown, path: string | undefined, extra: Extra): Plan {
  try {
    return createPlan(definition as PlanDefinition, { random: Math.random, ...extra })
  } catch (error) {
    if (error instanceof PlanError)
      throw new UsageError(path === undefined ? error.message : `${path}: ${error.message}`)
    throw error
  }
}

function describeJsonError(text: string, { message }: Error): string {
  if (/^\s*(?:---|[\w-]+:(?:\s|$))/.test(text)) return `it looks like YAML. A key plan is JSON, such as ${EXAMPLE}.`
  const position = /at position (\d+)/.exec(message)?.[1]
  if (position === undefined) return message
  const before = text.slice(0, Number(position)).split('\n')
  const what = message.replace(/(?: in JSON)? at position \d+.*$/, '').replace(/[.:]?$/, '.')
  return `line ${before.length}, column ${before[before.length - 1].length + 1}: ${what}`
}

const EXAMPLE = '{"into":"/partitionKey","from":[{"field":"/deviceId"}]}'
