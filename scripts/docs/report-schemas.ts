import { readFile } from 'node:fs/promises'

/** Published schemas that the command contains, by the name of their constant. */
const SCHEMAS = {
  PLAN_REPORT_SCHEMA: 'docs/plan-report.schema.json',
  XRAY_REPORT_SCHEMA: 'docs/xray-report.schema.json'
}

/** The module with which the command checks a saved report: the published schemas without their descriptions. */
export async function reportSchemas(): Promise<{ readonly path: string; readonly text: string }> {
  const constants = await Promise.all(
    Object.entries(SCHEMAS).map(async ([name, path]) => {
      const schema = JSON.parse(await readFile(path, 'utf8'), withoutProse) as unknown
      return `export const ${name}: Schema = ${JSON.stringify(schema)}`
    })
  )
  return {
    path: 'packages/cli/src/planner/generated/report-schemas.ts',
    text: [
      '// Written by `npm run docs` from the schemas in docs; do not edit.',
      "import type { Schema } from '@keystamp/core/internal'",
      ...constants
    ].join('\n\n')
  }
}

/** Leaves out the keywords for readers; a property with such a name has a schema as its value. */
function withoutProse(name: string, value: unknown): unknown {
  return ['$schema', 'title', 'description'].includes(name) && typeof value === 'string' ? undefined : value
}
