import { createPlan, isKeystampError, type PlanDefinition, PlanError } from '@keystamp/core'
import { type ConfigPath, deleteAt, isPartOf, pathText, setAt, valueAt } from './config-path.ts'
import { nodesAt, type SchemaNode } from './file-schema.ts'
import { type CheckedService, schemaOf } from './schema/service-schema.ts'
import { sinkPaths } from './renamed-keys.ts'
import { describeIssue, type Finding } from './describe-issue.ts'
import { checkRules } from './rules.ts'

interface CheckedValues {
  readonly findings: readonly Finding[]
  /** Undefined only if there are findings. */
  readonly service: CheckedService | undefined
}

/**
 * Finds every mistake: against the schema, in plans, between keys, and between sinks. `missed`: paths that are already
 * known to be wrong.
 */
export function checkValues(
  value: object,
  schema: SchemaNode,
  missed: readonly ConfigPath[],
  isHidden: (path: ConfigPath) => boolean
): CheckedValues {
  const { findings, service, broken } = checkSchema(value, schema, missed, isHidden)
  const inPlans = plansOf(value).filter(({ path }) => !isPartOf(path, missed))
  const between =
    service === undefined ? [] : [...rulesOf(value, service, broken), ...checkSinks(service).map(toFinding)]
  return { findings: [...findings, ...inPlans, ...between], service }
}

function plansOf(value: object): readonly Finding[] {
  const keys = sinkPaths(value).flatMap((sink) => PLAN_KEYS.map((key) => [...sink, ...key]))
  return keys.flatMap((key) => {
    const plan = valueAt(value, key)
    if (typeof plan !== 'object' || plan === null || Array.isArray(plan)) return []
    return checkPlan(plan).map(({ path, message }) => ({ path: [...key, ...path], kind: 'wrong' as const, message }))
  })
}

function rulesOf(value: object, { sinks }: CheckedService, broken: readonly ConfigPath[]): readonly Finding[] {
  return sinkPaths(value).flatMap((at, index) => {
    const sink = sinks[index]
    if (sink === undefined) return []
    const bad = [sink.plan, sink.move?.to.plan].map((plan) => plan !== undefined && checkPlan(plan).length > 0)
    const isBroken = (key: ConfigPath): boolean => {
      const path = [...at, ...key]
      return (
        (bad[0] && key[0] === 'plan') ||
        (bad[1] && key[0] === 'move') ||
        broken.some((each) => isPartOf(path, [each]) || isPartOf(each, [path]))
      )
    }
    const isWritten = (key: ConfigPath): boolean => valueAt(value, [...at, ...key]) !== undefined
    return checkRules(sink, isWritten, isBroken).map(({ path, message }) =>
      toFinding({ path: [...at, ...path], message })
    )
  })
}

/** A mistake between two keys is reported at the key that the rule names. */
function toFinding({ path, message }: { readonly path: ConfigPath; readonly message: string }): Finding {
  return { path, kind: 'disagreeing', message }
}

/** Keys of a sink that hold a key plan. */
const PLAN_KEYS: readonly ConfigPath[] = [['plan'], ['move', 'to', 'plan']]

/** Every mistake of a key plan, with its path in the plan. */
function checkPlan(plan: unknown): readonly { readonly path: ConfigPath; readonly message: string }[] {
  try {
    createPlan(plan as PlanDefinition, { random: () => 0 })
    return []
  } catch (error) {
    if (!isKeystampError(error) || !(error instanceof PlanError)) throw error
    return error.mistakes.map(({ path, message }) => ({ path: toPath(path, plan), message }))
  }
}

function toPath(pointer: string, plan: unknown): ConfigPath {
  let at: unknown = plan
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const name = Array.isArray(at) ? Number(part) : part
      at = (at as Readonly<Record<string | number, unknown>> | undefined)?.[name]
      return name
    })
}

/** Rules between the sinks of one file. */
function checkSinks({ sinks }: CheckedService): readonly { readonly path: ConfigPath; readonly message: string }[] {
  return sinks.flatMap((sink, index) =>
    sinks.slice(0, index).flatMap((earlier) => {
      if (earlier.name === sink.name)
        return [{ path: ['sinks', index, 'name'], message: `is taken: another sink is called ${sink.name} too` }]
      if (earlier.kafka.maxInflatedBatchBytes !== sink.kafka.maxInflatedBatchBytes) {
        return [
          {
            path: ['sinks', index, 'kafka', 'maxDecompressedBytes'],
            message: `must be the same as that of ${earlier.name}: the limit applies to the whole process`
          }
        ]
      }
      const isOneGroup =
        earlier.kafka.group === sink.kafka.group && earlier.kafka.brokers.join() === sink.kafka.brokers.join()
      if (!isOneGroup) return []
      return [
        {
          path: ['sinks', index, 'kafka', 'group'],
          message: `must differ from the group of ${earlier.name}: in one group, two sinks take each other’s partitions`
        }
      ]
    })
  )
}

interface CheckedSchema {
  readonly findings: readonly Finding[]
  /**
   * The settings, with a default or an example in place of each mistake. Undefined if they cannot be completed that
   * way.
   */
  readonly service: CheckedService | undefined
  /** Paths whose value is not the one in the file. */
  readonly broken: readonly ConfigPath[]
}

// a mistake hides others: the schema skips the inner checks of a section with a mistake, so they need another round
const ROUNDS = 12

/**
 * Checks a configuration against the schema. Replaces wrong values in a copy, so that one run shows all mistakes.
 * `already`: paths that are known to be wrong before the check.
 */
function checkSchema(
  written: unknown,
  jsonSchema: SchemaNode,
  already: readonly ConfigPath[],
  isHidden: (path: ConfigPath) => boolean
): CheckedSchema {
  const value: unknown = structuredClone(written)
  const schema = schemaOf(value)
  const findings: Finding[] = []
  const broken: ConfigPath[] = [...already]
  for (let round = 0; round < ROUNDS; round++) {
    const result = schema.safeParse(value)
    if (result.success) return { findings, service: result.data, broken }
    const found = result.error.issues.flatMap((issue) => describeIssue(issue, value, jsonSchema, isHidden))
    findings.push(
      ...found.filter(({ path, kind }) => kind !== 'missing' || !(isPartOf(path, broken) || isReplaced(path, broken)))
    )
    for (const { path, kind } of found) broken.push(repair(value, path, kind, jsonSchema))
  }
  return { findings, service: undefined, broken }
}

/** Whether the key is missing only because its alternative has a mistake. */
function isReplaced(path: ConfigPath, broken: readonly ConfigPath[]): boolean {
  const name = path.at(-1)
  return name === 'endpoint' && isPartOf([...path.slice(0, -1), 'connectionString'], broken)
}

function repair(value: unknown, path: ConfigPath, kind: Finding['kind'], schema: SchemaNode): ConfigPath {
  if (path.length === 0) return path
  const parent = path.slice(0, -1)
  // removing an item would shift the others, so the whole list is removed
  if (typeof path.at(-1) === 'number' && pathText(path) !== `sinks[${path.at(-1)}]`)
    return repair(value, parent, kind, schema)
  if (kind !== 'missing') {
    deleteAt(value, path)
    return path
  }
  const example = nodesAt(schema, path).find(({ examples }) => examples !== undefined)?.examples?.[0]
  if (example === undefined && valueAt(value, parent) !== undefined && !isRequiredObject(schema, path))
    return repair(value, parent, 'wrong', schema)
  setAt(value, path, structuredClone(example ?? {}))
  return path
}

function isRequiredObject(schema: SchemaNode, path: ConfigPath): boolean {
  return nodesAt(schema, path).some(({ type, properties }) => type === 'object' && properties !== undefined)
}
