import { createHash } from 'node:crypto'
import { access, constants, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { PlanDefinition } from '@keystamp/core'
import { systemReason } from '@keystamp/core/internal'
import { type PageOptions, type PlanReport, renderPage } from '@keystamp/planner'
import type { Dependencies } from '../dependencies.ts'
import { UsageError } from '../exit-codes.ts'
import { createTextLayout, type TextLayout } from '../terminal/text-layout.ts'
import type { PlanCommandOptions } from './plan-options.ts'
import { describeReport, printJson } from './report-text.ts'

/** Checks, before a sample or a container is read, that the files of a report can be written. */
export async function checkOutputs({ html, write }: Pick<PlanCommandOptions, 'html' | 'write'>): Promise<void> {
  if (html !== undefined) await checkWritable('page', html)
  if (write !== undefined) await checkWritable('key plan', write)
}

async function checkWritable(what: string, path: string): Promise<void> {
  try {
    const found = await stat(path).catch(() => undefined)
    if (found?.isDirectory() === true) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' })
    // the slash makes it an error that the parent is no folder
    await access(found === undefined ? `${dirname(path)}/` : path, constants.W_OK)
  } catch (error) {
    throw unwritable(what, path, error)
  }
}

/** Prints a report of the planner, and writes the page and the key plan if the options request them. */
export async function writeReport(
  report: PlanReport,
  { write, ...options }: Pick<PlanCommandOptions, 'json' | 'html' | 'write'>,
  dependencies: Pick<Dependencies, 'stdout' | 'stderr' | 'env'>
): Promise<void> {
  await printReport(report, { describe: describeReport, render: renderPage }, options, dependencies)
  if (write !== undefined) await writePlan(write, report, dependencies)
}

interface ReportForms<Report> {
  /** Text for a terminal. */
  readonly describe: (report: Report, layout: TextLayout) => string
  /** Page as HTML. */
  readonly render: (report: Report, options: PageOptions) => string
}

/** Prints a report as text or JSON, and writes its page if the options request one. */
export async function printReport<Report extends object>(
  report: Report,
  { describe, render }: ReportForms<Report>,
  { json, html }: Pick<PlanCommandOptions, 'json' | 'html'>,
  dependencies: Pick<Dependencies, 'stdout' | 'env'>
): Promise<void> {
  dependencies.stdout.write(json === true ? printJson(report) : describe(report, createTextLayout(dependencies)))
  if (html !== undefined) await writeText('page', html, render(report, { sha256: pageHash }))
}

async function writePlan(path: string, report: PlanReport, { stderr }: Pick<Dependencies, 'stderr'>): Promise<void> {
  const plan: PlanDefinition | null = report.recipe?.plan ?? null
  if (plan === null) stderr.write(`keystamp: ${path} is not written: the verdict needs no key plan.\n`)
  else await writeText('key plan', path, `${JSON.stringify(plan, null, 2)}\n`)
}

async function writeText(what: string, path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text)
  } catch (error) {
    throw unwritable(what, path, error)
  }
}

function unwritable(what: string, path: string, error: unknown): UsageError {
  return new UsageError(`The ${what} ${path} cannot be written: ${systemReason(error)}.`)
}

/** Hash by which the content policy of a page names its scripts and styles. */
function pageHash(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
