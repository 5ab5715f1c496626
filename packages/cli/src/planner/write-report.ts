import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import type { PlanDefinition } from '@keystamp/core'
import { systemReason } from '@keystamp/files'
import { type PlanReport, renderPage } from '@keystamp/planner'
import type { Dependencies } from '../dependencies.ts'
import { UsageError } from '../exit-codes.ts'
import { createTextLayout } from '../terminal/text-layout.ts'
import type { PlanCommandOptions } from './plan-options.ts'
import { describeReport, printJson } from './report-text.ts'

/** Prints a report, and writes the page and the key plan if the options request them. */
export async function writeReport(
  report: PlanReport,
  { json, html, write }: Pick<PlanCommandOptions, 'json' | 'html' | 'write'>,
  dependencies: Pick<Dependencies, 'stdout' | 'stderr' | 'env'>
): Promise<void> {
  dependencies.stdout.write(json === true ? printJson(report) : describeReport(report, createTextLayout(dependencies)))
  if (html !== undefined) await writeText('page', html, renderPage(report, { sha256: pageHash }))
  if (write !== undefined) await writePlan(write, report, dependencies)
}

async function writePlan(path: string, report: PlanReport, { stderr }: Pick<Dependencies, 'stderr'>): Promise<void> {
  const plan: PlanDefinition | null = report.recipe?.plan ?? null
  if (plan === null) stderr.write(`keystamp: ${path} is not written: the verdict needs no key plan.\n`)
  else await writeText('key plan', path, `${JSON.stringify(plan, null, 2)}\n`)
}

/** Writes a file of a report. */
export async function writeText(what: string, path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text)
  } catch (error) {
    throw new UsageError(`The ${what} ${path} cannot be written: ${systemReason(error)}.`)
  }
}

/** Hash by which the content policy of a page names its scripts and styles. */
export function pageHash(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

const SCHEMA_VERSION = 1

/** Reads a report that `--json` has printed. */
export async function readReport(path: string): Promise<PlanReport> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new UsageError(`The report ${path} cannot be read: ${systemReason(error)}.`)
  }
  const report = parseJson(text) as Partial<PlanReport> | null | undefined
  if (report?.schemaVersion !== SCHEMA_VERSION || report.candidates === undefined || report.unknown === undefined)
    throw new UsageError(
      `${path} is not a report of this version of keystamp: save one with keystamp plan ... --json > report.json.`
    )
  return report as PlanReport
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
