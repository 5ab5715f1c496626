import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { XrayReport } from '@keystamp/planner'
import { type Schema, schemaComplaints } from '@keystamp/core/internal'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTextLayout } from '../../src/terminal/text-layout.ts'
import { describeXray } from '../../src/xray/xray-text.ts'
import { runCommand } from '../run-command.ts'
import { plant, type Planted, type Plot, randomOf, TROUBLES } from './planted.ts'

const schemaOf = (name: string): Schema =>
  JSON.parse(readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8')) as Schema

const FAST = ['--max-ru', '1000000', '--sample', '100']

let planted: Planted | undefined
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keystamp-xray-'))
})

afterEach(async () => {
  await planted?.emulator.stop()
  planted = undefined
  await rm(folder, { recursive: true })
})

/** Starts a container with a trouble, or one that comes close to it. */
async function startWith(name: (typeof TROUBLES)[number]['name'], isPlanted = true, more: Partial<Plot> = {}) {
  const plot = TROUBLES.find((trouble) => trouble.name === name)!.plant(randomOf(1, name), isPlanted)
  planted = await plant({ ...plot, ...more, options: { ...plot.options, ...more.options } })
  return planted
}

async function xrayJson(args: readonly string[] = []): Promise<XrayReport> {
  const { stdout, stderr } = await runCommand(['xray', planted!.container, ...FAST, '--json', ...args])
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as XrayReport
}

describe('keystamp xray --json', () => {
  it('prints a report that fits its schema, and ends with a report of the planner', async () => {
    await startWith('hot-key')

    const report = await xrayJson(['--show-values'])

    expect(schemaComplaints(schemaOf('xray-report.schema.json'), report)).toEqual([])
    expect(schemaComplaints(schemaOf('plan-report.schema.json'), report.plan)).toEqual([])
    expect(report.plan?.candidates.map(({ name }) => name)).toContain('/key (present key)')
    expect(report.load?.keys[0]).toMatchObject({ value: 'key-hot' })
  })

  it('shows keys as hashes without --show-values', async () => {
    await startWith('hot-key')

    const report = await xrayJson()

    expect(report.load?.keys[0]).not.toHaveProperty('value')
    const { stdout } = await runCommand(['xray', planted!.container, ...FAST])
    expect(stdout).toContain(report.findings[0].key)
    expect(`${JSON.stringify({ ...report, plan: null })}${stdout}`).not.toContain('key-hot')
  })

  it('refuses a saved report that is damaged, with the path of the damage', async () => {
    await startWith('hot-key')
    const report = await xrayJson()
    const path = join(folder, 'damaged.json')
    const printDamaged = async (damaged: object): Promise<unknown> => {
      await writeFile(path, JSON.stringify({ ...report, ...damaged }))
      const { code, stdout, stderr } = await runCommand(['xray', '--report', path])
      return { code, stdout, complaint: /: (\/\S+ is missing)\. Save one with keystamp xray/.exec(stderr)?.[1] }
    }

    const [first, { share: _share, ...second }, ...others] = report.load!.keys
    expect(await printDamaged({ load: { ...report.load, keys: [first, second, ...others] } })).toEqual({
      code: 2,
      stdout: '',
      complaint: '/load/keys/1/share is missing'
    })
    const { sample: _sample, ...plan } = report.plan!
    expect(await printDamaged({ plan })).toEqual({ code: 2, stdout: '', complaint: '/plan/sample is missing' })
  })

  it('saves a report from which the same text and the same page are made again', async () => {
    await startWith('hot-key')
    const report = await xrayJson()
    await writeFile(join(folder, 'xray.json'), JSON.stringify(report))

    const page = join(folder, 'xray.html')
    const again = await runCommand(['xray', '--report', join(folder, 'xray.json'), '--html', page])

    expect(again.code).toBe(4)
    const layout = createTextLayout({ stdout: process.stdout, env: { NO_COLOR: '1' } })
    expect(again.stdout).toBe(describeXray(report, layout))
    const json = await runCommand(['xray', '--report', join(folder, 'xray.json'), '--json'])
    expect(JSON.parse(json.stdout)).toEqual(report)
    const html = await readFile(page, 'utf8')
    expect(html).toContain('default-src &#39;none&#39;')
    expect(html).not.toContain('<script type="module"')
    for (const { reason } of report.findings) expect(html).toContain(reason)
    expect(html).not.toMatch(/(?:src|href)="/)
  })
})

describe('the text of keystamp xray', () => {
  it.each([80, 120])('begins with the verdict, and fits a terminal of %i columns', async (outputColumns) => {
    await startWith('hot-key')

    const { stdout } = await runCommand(['xray', planted!.container, ...FAST], {
      outputColumns,
      env: { NO_COLOR: '1' }
    })

    expect(stdout).toMatch(/^2 troubles: hot key, RU that cannot be used\./)
    expect(stdout).toContain('Remedy: Give this key suffixes')
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(Math.min(outputColumns, 100))
  })
})

describe('keystamp xray of a container that does not tell everything', () => {
  it.each(['none', 'refused'] as const)('goes on without statistics (%s), and says so', async (partitionStatistics) => {
    await startWith('key-near-20-gb', true, { options: { partitionStatistics } })

    const { code, stdout } = await runCommand(['xray', planted!.container, ...FAST, '--json'])

    const report = JSON.parse(stdout) as XrayReport
    expect(report.unseen).toContainEqual({
      what: 'statistics of the physical partitions',
      why: expect.stringContaining('without statistics'),
      checks: expect.arrayContaining(['key-near-20-gb', 'range-near-50-gb'])
    })
    expect(report.findings).toEqual([])
    expect(report.verdict.sentence).toBe(
      'No trouble was found, but not everything could be seen: key near 20 GB, range near 50 GB were not checked.'
    )
    expect(code).toBe(1)
  })

  it('finds what it can see with a role that may not read the throughput', async () => {
    const { emulator } = await startWith('hot-key')
    emulator.faults.inject({ on: 'offers', action: { kind: 'status', status: 403, subStatus: 5300 } })

    const { code, stdout } = await runCommand(['xray', planted!.container, ...FAST, '--json'])

    const report = JSON.parse(stdout) as XrayReport
    expect(report.findings.map(({ name }) => name)).toEqual(['hot-key', 'unusable-throughput'])
    expect(report.container).toMatchObject({ ruPerSecond: null, throughput: 'unknown' })
    expect(report.unseen.map(({ what }) => what)).toContain('provisioned throughput')
    expect(code).toBe(4)
  })

  it('says that it cannot tell if too few writes were seen', async () => {
    await startWith('hot-key', true, { minutes: [[{ id: '1', key: 'a' }]] })

    const { code, stdout } = await runCommand(['xray', planted!.container, ...FAST, '--since', '1h'])

    expect(stdout).toContain('Only 1 write was seen; 500 are needed')
    expect(code).toBe(1)
  })
})

function time(index: number): string {
  return new Date(Date.UTC(2026, 4, 3) + index * 1000).toISOString()
}

describe('keystamp xray with a log export', () => {
  it('finds hot keys by their request units, and wide queries by the partitions that they asked', async () => {
    await startWith('hot-key', false)
    const uses = Array.from({ length: 1000 }, (_, index) => ({
      TimeGenerated: time(index),
      PartitionKey: JSON.stringify([index % 2 === 0 ? 'key-7' : `key-${index}`]),
      RequestCharge: 10
    }))
    const queries = Array.from({ length: 400 }, (_, index) => ({
      TimeGenerated: time(index),
      QueryText: index < 300 ? "SELECT * FROM c WHERE c.mail = 'ada@example.org'" : 'SELECT * FROM c WHERE c.key = @k',
      PartitionKeyRangeId: String(index < 300 ? index % 4 : 0),
      ActivityId: `a-${index}`,
      CorrelatedActivityId: index < 300 ? `wide-${index >> 2}` : `one-${index}`
    }))
    await writeFile(join(folder, 'ru.json'), JSON.stringify(uses))
    const columns = Object.keys(queries[0]) as (keyof (typeof queries)[0])[]
    const lines = [columns, ...queries.map((row) => columns.map((name) => JSON.stringify(row[name])))]
    await writeFile(join(folder, 'queries.csv'), lines.map((line) => line.join(',')).join('\n'))

    const report = await xrayJson([
      '--log-export',
      join(folder, 'ru.json'),
      '--log-export',
      join(folder, 'queries.csv')
    ])

    const valueOf = (name: string): number => report.findings.find((finding) => finding.name === name)!.value
    expect(valueOf('hot-key')).toBeCloseTo(0.5, 2)
    // 75 of 175 executions
    expect(report.findings.map(({ name }) => name)).not.toContain('wide-queries')
    expect(report.checks.find(({ name }) => name === 'wide-queries')).toMatchObject({ state: 'clear', threshold: 0.5 })
    expect(report.checks.find(({ name }) => name === 'wide-queries')!.value).toBeCloseTo(75 / 175)
    expect(report.queries.map(({ name, ranges }) => [name, ranges])).toEqual([
      ['SELECT * FROM c WHERE c.key = @k', 1],
      ['SELECT * FROM c WHERE c.mail = ?', 4]
    ])
    expect(report.load).toMatchObject({ source: 'log' })
    expect(schemaComplaints(schemaOf('xray-report.schema.json'), report)).toEqual([])
  })
})

describe('keystamp plan with a log export', () => {
  it('reads the queries and their rates, and says what the keys use', async () => {
    const sample = Array.from({ length: 500 }, (_, index) =>
      JSON.stringify({ id: `${index}`, vin: `v-${index % 100}` })
    )
    await writeFile(join(folder, 'sample.ndjson'), sample.join('\n'))
    const columns = [
      { name: 'TimeGenerated' },
      { name: 'QueryText' },
      { name: 'PartitionKeyRangeId' },
      { name: 'ActivityId' }
    ]
    const rows = Array.from({ length: 101 }, (_, index) => [
      new Date(Date.UTC(2026, 4, 3) + index * 100).toISOString(),
      'SELECT * FROM c WHERE c.vin = @vin',
      '0',
      `${index}`
    ])
    await writeFile(
      join(folder, 'queries.json'),
      JSON.stringify({ tables: [{ name: 'PrimaryResult', columns, rows }] })
    )
    await writeFile(
      join(folder, 'ru.ndjson'),
      [1, 3]
        .map((ru) =>
          JSON.stringify({ TimeGenerated: `2026-05-03T10:00:0${ru}Z`, PartitionKey: `["${ru}"]`, RequestCharge: ru })
        )
        .join('\n')
    )

    const { stdout, stderr } = await runCommand([
      ...['plan', join(folder, 'sample.ndjson'), '--writes', '100/s', '--ttl', '1d', '--json'],
      ...['--log-export', join(folder, 'queries.json'), '--log-export', join(folder, 'ru.ndjson')]
    ])

    const report = JSON.parse(stdout) as NonNullable<XrayReport['plan']>
    expect(report.workload).toContainEqual({
      name: 'query',
      value: expect.stringContaining('SELECT * FROM c WHERE c.vin = @vin @ 10.1/s')
    })
    expect(stderr).toContain('the log export has 2 RU/s on 2 present keys, of which the busiest takes 75 %')
  })
})

describe('a command line of keystamp xray', () => {
  it.each<[string, readonly string[], string]>([
    ['no container', [], 'Name the container: keystamp xray https://'],
    ['a limit below 20 RU/s', ['http://127.0.0.1:1/d/c', '--max-ru', '19/s'], '--max-ru must be at least 20 RU/s'],
    ['a limit that is no number', ['http://127.0.0.1:1/d/c', '--max-ru', 'fast'], '--max-ru must be a number of RU/s'],
    ['a time that is too short', ['http://127.0.0.1:1/d/c', '--since', '1s'], '--since takes a time from 10s to 7d'],
    ['a report and a container', ['http://127.0.0.1:1/d/c', '--report', 'x.json'], 'leave out the container'],
    ['a report and a time', ['--report', 'x.json', '--since', '1h'], 'reads no container: leave out --since'],
    ['a report and a query', ['--report', 'x.json', '--query', 'a @ 1/s'], 'reads no container: leave out --query'],
    [
      'a log export that is missing',
      ['http://127.0.0.1:1/d/c', '--log-export', 'missing.json'],
      'missing.json cannot be read'
    ]
  ])('is refused in a sentence: %s', async (_title, args, sentence) => {
    const { code, stderr, stdout } = await runCommand(['xray', ...args])

    expect(stderr).toContain(sentence)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  it.each<[string, string, string, string]>([
    ['is cut off', 'cut.json', '[{"TimeGenerated":"2026-05-03T10:00:00Z","Part', 'is not valid JSON, or is cut off'],
    ['has other columns', 'other.csv', 'a,b\n1,2\n', 'has the columns a, b, and is no export that is known'],
    ['has no rows', 'empty.json', '[]', 'has no row'],
    ['is cut off in a value of CSV', 'cut.csv', 'TimeGenerated,PartitionKey,RequestCharge\n2026,"[', 'cut.csv'],
    [
      'has rows without times',
      'times.json',
      '[{"TimeGenerated":"","PartitionKey":"a","RequestCharge":1}]',
      'has 1 row, but none with a time'
    ]
  ])('names a log export that %s', async (_title, name, text, sentence) => {
    await writeFile(join(folder, name), text)

    const args = ['xray', 'http://127.0.0.1:1/d/c', '--log-export', join(folder, name)]
    const { code, stderr } = await runCommand(args)

    expect(stderr).toContain(sentence)
    expect(code).toBe(2)
  })
})
