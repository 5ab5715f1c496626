import { type ConfigPath, deleteAt, isPartOf, pathText, setAt, valueAt } from '../config-path.ts'
import { nodesAt, type SchemaNode } from '../published/file-schema.ts'
import { type CheckedService, schemaOf } from '../schema/service-schema.ts'
import { describeIssue, type Finding } from './describe-issue.ts'

export interface CheckedSchema {
  readonly findings: readonly Finding[]
  /** What the file means; where it has mistakes, with defaults and examples in their places. Undefined where that cannot be. */
  readonly service: CheckedService | undefined
  /** What is not as the file says. */
  readonly broken: readonly ConfigPath[]
}

// each round shows what the last one hid: a section with a mistake in it is not looked at as a whole
const ROUNDS = 12

/** Checks a configuration against the schema, and mends it so that all that is wrong shows at once. `broken` is what has no value of its own already. */
export function checkSchema(
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
    findings.push(...found.filter(({ path, kind }) => kind !== 'missing' || !(isPartOf(path, broken) || isReplaced(path, broken))))
    for (const { path, kind } of found) broken.push(mend(value, path, kind, jsonSchema))
  }
  return { findings, service: undefined, broken }
}

/** What is missing only because the key that says it in another way has a mistake. */
function isReplaced(path: ConfigPath, broken: readonly ConfigPath[]): boolean {
  const name = path.at(-1)
  return name === 'endpoint' && isPartOf([...path.slice(0, -1), 'connectionString'], broken)
}

function mend(value: unknown, path: ConfigPath, kind: Finding['kind'], schema: SchemaNode): ConfigPath {
  if (path.length === 0) return path
  const parent = path.slice(0, -1)
  // a list with a hole in it would be another list
  if (typeof path.at(-1) === 'number' && pathText(path) !== `sinks[${path.at(-1)}]`) return mend(value, parent, kind, schema)
  if (kind !== 'missing') {
    deleteAt(value, path)
    return path
  }
  const example = nodesAt(schema, path).find(({ examples }) => examples !== undefined)?.examples?.[0]
  if (example === undefined && valueAt(value, parent) !== undefined && !isRequiredObject(schema, path))
    return mend(value, parent, 'wrong', schema)
  setAt(value, path, structuredClone(example ?? {}))
  return path
}

function isRequiredObject(schema: SchemaNode, path: ConfigPath): boolean {
  return nodesAt(schema, path).some(({ type, properties }) => type === 'object' && properties !== undefined)
}
