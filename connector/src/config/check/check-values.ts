import { type ConfigPath, isPartOf, valueAt } from '../config-path.ts'
import type { SchemaNode } from '../published/file-schema.ts'
import type { CheckedService } from '../schema/service-schema.ts'
import { sinkPaths } from '../sink-paths.ts'
import { checkPlan } from './check-plan.ts'
import { checkSchema } from './check-schema.ts'
import { checkSinks } from './check-sinks.ts'
import type { Finding } from './describe-issue.ts'
import { checkRules } from './rules.ts'

export interface CheckedValues {
  readonly findings: readonly Finding[]
  /** Undefined only where there are findings. */
  readonly service: CheckedService | undefined
}

/** Finds all that is wrong: against the schema, in plans, between keys, and between sinks. `missed` is what is known to be wrong already. */
export function checkValues(
  value: object,
  schema: SchemaNode,
  missed: readonly ConfigPath[],
  isHidden: (path: ConfigPath) => boolean
): CheckedValues {
  const { findings, service, broken } = checkSchema(value, schema, missed, isHidden)
  const inPlans = plansOf(value).filter(({ path }) => !isPartOf(path, missed))
  const between = service === undefined ? [] : [...rulesOf(value, service, broken), ...checkSinks(service).map(toFinding)]
  return { findings: [...findings, ...inPlans, ...between], service }
}

function plansOf(value: object): readonly Finding[] {
  return sinkPaths(value).flatMap((sink) => {
    const plan = valueAt(value, [...sink, 'plan'])
    if (typeof plan !== 'object' || plan === null || Array.isArray(plan)) return []
    return checkPlan(plan).map(({ path, message }) => ({ path: [...sink, 'plan', ...path], kind: 'wrong' as const, message }))
  })
}

function rulesOf(value: object, { sinks }: CheckedService, broken: readonly ConfigPath[]): readonly Finding[] {
  return sinkPaths(value).flatMap((at, index) => {
    const sink = sinks[index]
    if (sink === undefined) return []
    const hasBadPlan = sink.plan !== undefined && checkPlan(sink.plan).length > 0
    const isBroken = (key: ConfigPath): boolean => {
      const path = [...at, ...key]
      return (hasBadPlan && key[0] === 'plan') || broken.some((each) => isPartOf(path, [each]) || isPartOf(each, [path]))
    }
    const isWritten = (key: ConfigPath): boolean => valueAt(value, [...at, ...key]) !== undefined
    return checkRules(sink, isWritten, isBroken).map(({ path, message }) => toFinding({ path: [...at, ...path], message }))
  })
}

/** What keys demand of each other is said where the key stands. */
function toFinding({ path, message }: { readonly path: ConfigPath; readonly message: string }): Finding {
  return { path, kind: 'disagreeing', message }
}
