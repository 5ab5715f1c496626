import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PlanReport } from '@keystamp/planner'
import { type Schema, schemaComplaints } from '@keystamp/core/internal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeMeasured } from '../../src/planner/measure/measured-text.ts'
import { describeReport } from '../../src/planner/report-text.ts'
import { createTextLayout } from '../../src/terminal/text-layout.ts'
import { runCommand } from '../run-command.ts'

const SCHEMA = JSON.parse(
  readFileSync(new URL('../../../../docs/plan-report.schema.json', import.meta.url), 'utf8')
) as Schema

let folder: string
let sample: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keystamp-measure-'))
  sample = join(folder, 'orders.ndjson')
  const records = Array.from({ length: 12_000 }, (_, index) => ({
    id: `o-${index}`,
    // six in ten of the records belong to one tenant
    tenant: index % 10 < 6 ? 'tenant-0' : `tenant-${(index * 7919) % 997}`,
    order: `order-${(index * 31) % 4001}`
  }))
  writeFileSync(sample, `${records.map((record) => JSON.stringify(record)).join('\n')}\n`)
})

afterAll(() => rmSync(folder, { recursive: true }))

describe('keystamp plan --measure', () => {
  it('measures the verdict and the present key as predicted, and its report fits the schema', async () => {
    const query = ['--query', 'tenant @ 20/s', '--query', 'id, tenant, order @ 20/s', '--query', '* @ 1/s']
    const load = ['--writes', '5000/s', '--ttl', '1h', '--present-key', '/tenant']
    const args = ['plan', sample, ...load, ...query, '--measure', '--measure-seconds', '4', '--json']
    const { code, stdout, stderr } = await runCommand(args)
    const report = JSON.parse(stdout) as PlanReport

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(schemaComplaints(SCHEMA, report)).toEqual([])
    const names = (report.measured ?? []).map(({ candidate }) => candidate)
    expect(names[0]).toBe(report.verdict.candidate)
    expect(names).toContain('/tenant (present key)')
    expect(names).toHaveLength(3)
    for (const { usableShare, writeRu, queries } of report.measured ?? []) {
      // a busy machine sends too little: less than predicted is no mistake here, and more is one
      expect(usableShare.measured).toBeLessThan(usableShare.predicted + 0.06)
      expect(writeRu.measured).toBeCloseTo(writeRu.predicted, 2)
      const ratios = queries.flatMap(({ ru, ranges }) => [ru, ranges]).map((each) => each.measured / each.predicted)
      expect(ratios).toHaveLength(6)
      for (const ratio of ratios) expect(ratio).toBeCloseTo(1, 1)
    }
    // the busiest partition is the same part of the whole, however fast the machine is
    const evenness = (report.measured ?? []).map(
      ({ usableShare, busiestPartitionUse }) => usableShare.measured / busiestPartitionUse
    )
    expect(evenness[names.indexOf('/tenant (present key)')]).toBeLessThan(0.5)
    expect(evenness[0]).toBeGreaterThan(0.6)
    const layout = createTextLayout({ stdout: process.stdout, env: { NO_COLOR: '1' } })
    const lines = describeMeasured(report, layout)
    expect(lines[0]).toMatch(/^ {4}measured +partitions +usable +RU per write$/)
    expect(lines.join(' ')).toContain('it is not a live account')
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100)
    expect(describeReport(report, layout)).toContain(lines.join('\n'))
  }, 240_000)

  it('leaves out records without a value of the present key, and says how many', async () => {
    const withoutKeys = join(folder, 'without-keys.ndjson')
    const records = Array.from({ length: 4000 }, (_, index) => ({
      id: `o-${index}`,
      // one in five is null, one in five is missing
      ...(index % 5 === 0 ? { code: null } : index % 5 === 1 ? {} : { code: `c-${index % 301}` })
    }))
    writeFileSync(withoutKeys, `${records.map((record) => JSON.stringify(record)).join('\n')}\n`)
    const load = ['--writes', '5000/s', '--ttl', '1h', '--present-key', '/code']
    const args = ['plan', withoutKeys, ...load, '--measure', '--measure-seconds', '2', '--json']
    const { code, stdout } = await runCommand(args)
    const { measured } = JSON.parse(stdout) as PlanReport
    const present = (measured ?? []).find(({ candidate }) => candidate === '/code (present key)')

    expect(code).toBe(0)
    expect(present?.notes).toEqual(['1,600 records have no value, or null, as their key. They were not written.'])
    expect(present?.usableShare.predicted).toBeGreaterThan(0.7)
  }, 120_000)

  it('stops the local emulator when the user ends the command', async () => {
    const ended = new AbortController()
    setTimeout(() => ended.abort(), 4000)
    const args = ['plan', sample, '--writes', '5000/s', '--ttl', '1h', '--measure', '--measure-seconds', '60']

    expect(await runCommand(args, { signal: ended.signal })).toMatchObject({ code: 130, stdout: '' })
  }, 120_000)

  it.each([
    ['described fields', ['--field', 'a:100', '--measure'], /only describes fields: give files instead of --field/],
    ['seconds without a measurement', ['--measure-seconds', '3'], /--measure-seconds needs --measure/],
    ['no seconds at all', ['--measure', '--measure-seconds', '0'], /--measure-seconds must be from 1 to 100, not 0/],
    ['a saved report', ['--report', 'report.json', '--measure'], /a saved report has none/]
  ])('is refused for %s', async (_title, args, sentence) => {
    expect(await runCommand(['plan', ...args])).toMatchObject({ code: 2, stderr: expect.stringMatching(sentence) })
  })
})
