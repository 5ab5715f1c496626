import { readFile } from 'node:fs/promises'
import { systemReason } from '@keystamp/files'
import { renderXrayPage, type XrayReport } from '@keystamp/planner'
import type { Dependencies } from '../dependencies.ts'
import { UsageError } from '../exit-codes.ts'
import { printJson } from '../planner/report-text.ts'
import { pageHash, writeText } from '../planner/write-report.ts'
import { createTextLayout } from '../terminal/text-layout.ts'
import type { XrayCommandOptions } from './xray-options.ts'
import { describeXray } from './xray-text.ts'

/** Prints a report, and writes the page where it was asked for. */
export async function writeXrayReport(
  report: XrayReport,
  { json, html }: Pick<XrayCommandOptions, 'json' | 'html'>,
  dependencies: Pick<Dependencies, 'stdout' | 'env'>
): Promise<void> {
  dependencies.stdout.write(json === true ? printJson(report) : describeXray(report, createTextLayout(dependencies)))
  if (html !== undefined) await writeText('page', html, renderXrayPage(report, { sha256: pageHash }))
}

const SCHEMA_VERSION = 1

/** Reads a report that `--json` has printed. */
export async function readXrayReport(path: string): Promise<XrayReport> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new UsageError(`The report ${path} cannot be read: ${systemReason(error)}.`)
  }
  const report = parseJson(text) as Partial<XrayReport> | null | undefined
  if (report?.schemaVersion !== SCHEMA_VERSION || report.checks === undefined || report.looked === undefined)
    throw new UsageError(`${path} is no report of this version: save one with keystamp xray ... --json > xray.json.`)
  return report as XrayReport
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
