import { readFile } from 'node:fs/promises'
import { type Schema, schemaComplaints } from '@keystamp/core/internal'
import { systemReason } from '@keystamp/core/internal'
import type { PlanReport, XrayReport } from '@keystamp/planner'
import { UsageError } from '../exit-codes.ts'
import { PLAN_REPORT_SCHEMA, XRAY_REPORT_SCHEMA } from './generated/report-schemas.ts'

/** Reads a report that `keystamp plan --json` has printed. */
export async function readPlanReport(path: string): Promise<PlanReport> {
  const report = await readJson(path)
  checkForm(report, { path, at: '', schema: PLAN_REPORT_SCHEMA, save: SAVE_PLAN })
  return report as PlanReport
}

/** Reads a report that `keystamp xray --json` has printed. It contains the planner's report, in the form of its own. */
export async function readXrayReport(path: string): Promise<XrayReport> {
  const report = await readJson(path)
  checkForm(report, { path, at: '', schema: XRAY_REPORT_SCHEMA, save: SAVE_XRAY })
  const { plan } = report as XrayReport
  if (plan !== null) checkForm(plan, { path, at: '/plan', schema: PLAN_REPORT_SCHEMA, save: SAVE_XRAY })
  return report as XrayReport
}

const SAVE_PLAN = 'keystamp plan ... --json > report.json'
const SAVE_XRAY = 'keystamp xray ... --json > xray.json'

/** Reads JSON; undefined if the text is not JSON. */
async function readJson(path: string): Promise<unknown> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new UsageError(`The report ${path} cannot be read: ${systemReason(error)}.`)
  }
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

interface Form {
  readonly path: string
  /** JSON pointer of the report inside the file. */
  readonly at: string
  readonly schema: Schema
  /** Command that saves a report. */
  readonly save: string
}

const SCHEMA_VERSION = 1

function checkForm(report: unknown, { path, at, schema, save }: Form): void {
  const remedy = `Save one with ${save}.`
  if ((report as { readonly schemaVersion?: unknown } | null | undefined)?.schemaVersion !== SCHEMA_VERSION)
    throw new UsageError(`${path} is not a report of this version of keystamp. ${remedy}`)
  const [complaint] = schemaComplaints(schema, report)
  if (complaint !== undefined)
    throw new UsageError(`${path} is not a report of this version of keystamp: ${at}${complaint}. ${remedy}`)
}
