import { readFileSync } from 'node:fs'
import type { PlanReport } from '@keystamp/planner'
import { type Schema, schemaComplaints } from '@keystamp/core/internal'
import { describe, expect, it } from 'vitest'
import { describeReport } from '../../src/planner/report-text.ts'
import { createTextLayout } from '../../src/terminal/text-layout.ts'
import { runCommand } from '../run-command.ts'
import { REPORT_SAMPLES, type ReportSample } from './report-samples.ts'

const schemaOf = (name: string): Schema =>
  JSON.parse(readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8')) as Schema

const PLAN_REPORT = schemaOf('plan-report.schema.json')
const CAPACITY_REPORT = schemaOf('capacity-report.schema.json')

// each report is computed once
const reports = new Map<ReportSample, Promise<PlanReport>>()

async function reportOf(sample: ReportSample): Promise<PlanReport> {
  let report = reports.get(sample)
  if (report === undefined) {
    report = runCommand(['plan', ...sample.args, '--json'], sample).then(
      ({ stdout }) => JSON.parse(stdout) as PlanReport
    )
    reports.set(sample, report)
  }
  return report
}

describe('keystamp plan --json', () => {
  it.each(REPORT_SAMPLES)('prints a report that fits its schema: $title', async (sample) => {
    expect(schemaComplaints(PLAN_REPORT, await reportOf(sample))).toEqual([])
  })

  it.each(REPORT_SAMPLES)('prints a reason for each figure that is null: $title', async (sample) => {
    const report = await reportOf(sample)

    const { candidates, ...others } = report
    expect(candidates.flatMap((each) => nullPaths(each, each.unknown))).toEqual([])
    expect(nullPaths(others, report.unknown)).toEqual([])
  })

  it.each(REPORT_SAMPLES)('prints the same text from the saved report alone: $title', async (sample) => {
    const text = await runCommand(['plan', ...sample.args], sample)

    const layout = createTextLayout({ stdout: process.stdout, env: { NO_COLOR: '1' } })
    expect(describeReport(await reportOf(sample), layout)).toBe(text.stdout)
  })

  it('shows values of keys only with --show-values', async () => {
    const [, sample] = REPORT_SAMPLES
    const hidden = await reportOf({ ...sample, args: sample.args.slice(0, -1) })
    const shown = await reportOf(sample)

    // a plan with suffixes for some values has to name them
    expect(heavyOf(shown)).toContain('"value":"tenant-0"')
    expect(heavyOf(hidden)).not.toContain('tenant-0')
  })
})

describe('keystamp capacity --json', () => {
  it.each([
    ['a raise', '--partitions 2 --from 20000 --to 30000'],
    ['a rate that can be lowered', '--partitions 4 --from 40000 --to 20000 --highest 60000'],
    ['a load with a time to live', '--writes 5000/s --size 1KB --ttl 7d'],
    ['a load without an end', '--writes 5000/s'],
    ['data that grows', '--gb 800 --growth 5GB/day --partitions 20'],
    ['data alone', '--gb 800'],
    ['autoscale in three regions', '--autoscale --writes 9000/s --ttl 1d --regions 3 --multi-region-writes'],
    ['more data than is considered', '--gb 900TB --writes 10/s']
  ])('prints a report that fits its schema: %s', async (_title, args) => {
    const { stdout } = await runCommand(['capacity', ...args.split(' '), '--json'])

    expect(schemaComplaints(CAPACITY_REPORT, JSON.parse(stdout))).toEqual([])
  })
})

function heavyOf({ candidates }: PlanReport): string {
  return JSON.stringify(candidates.map(({ heavy }) => heavy))
}

// a candidate without a plan, and the verdict itself, have no figure there
const NO_FIGURES = new Set(['plan', 'whyNot', 'recipe/plan'])

/** Paths of null figures for which no reason is given at the path or above it. */
function nullPaths(value: unknown, reasons: Readonly<Record<string, string>>, path = ''): readonly string[] {
  if (NO_FIGURES.has(path) || isExplained(path, reasons)) return []
  if (value === null) return [path]
  if (typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, each]) =>
    nullPaths(each, reasons, Array.isArray(value) ? path : `${path}${path === '' ? '' : '/'}${name}`)
  )
}

function isExplained(path: string, reasons: Readonly<Record<string, string>>): boolean {
  return Object.keys(reasons).some((each) => path === each || path.startsWith(`${each}/`))
}
