import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { PlanReport } from '@keystamp/planner'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../run-command.ts'

const COMMAND = fileURLToPath(new URL('../../bin/keystamp.mjs', import.meta.url))

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keystamp-plan-'))
  const records = Array.from({ length: 3000 }, (_, index) => ({
    id: `r-${index}`,
    date: '2026-01-01',
    vin: `vin-${index % 1500}`,
    at: new Date(Date.UTC(2026, 0, 1) + index * 100).toISOString()
  }))
  writeFileSync(path('drives.ndjson'), `${records.map((record) => JSON.stringify(record)).join('\n')}\n`)
  writeFileSync(path('date.json'), JSON.stringify({ into: '/pk', from: [{ field: '/date' }] }))
  writeFileSync(path('vin.json'), JSON.stringify({ into: '/pk', from: [{ field: '/vin' }] }))
  writeFileSync(path('workload.yaml'), 'writes: 5000/s\nttl: 1d\nqueries:\n  - vin @ 20/s\n')
})

afterAll(() => rmSync(folder, { recursive: true }))

function path(name: string): string {
  return join(folder, name)
}

const LOAD = ['--writes', '3000/s', '--ttl', '6h', '--query', 'vin @ 20/s']

async function textOf(stream: Readable): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}

async function reportOf(args: readonly string[], input = ''): Promise<PlanReport> {
  const { stdout } = await runCommand(['plan', ...args, ...LOAD, '--items', '20000', '--json'], { input })
  return JSON.parse(stdout) as PlanReport
}

describe('keystamp plan', () => {
  it('gives the same report with a second thread as with one thread', async () => {
    const lines = Array.from({ length: 21_000 }, (_, index) =>
      JSON.stringify({ id: index, vin: `v-${(index * 31) % 7000}` })
    ).join('\n')
    const args = ['plan', '-', '--writes', '3000/s', '--ttl', '6h', '--json', '--quiet']
    // as built: tsx does not work in the second thread
    const child = spawn(process.execPath, [COMMAND, ...args])
    child.stdin.end(lines)
    const [stdout, stderr] = await Promise.all([child.stdout, child.stderr].map(textOf))

    expect(stderr).toBe('')
    // a program that calls `run` has one thread
    expect(stdout).toBe((await runCommand(args, { input: lines })).stdout)
  })

  it('prints the verdict first and then the candidates, in lines of at most 100 columns', async () => {
    const { code, stdout } = await runCommand(['plan', path('drives.ndjson'), ...LOAD])

    const lines = stdout.split('\n')
    expect(code).toBe(0)
    expect(lines[0]).toMatch(/^Use \/vin as the partition key: no synthetic key is needed/)
    expect(stdout).toMatch(/^ 1 {2}\/vin .* 1 key$/m)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100)
  })

  it('prints the report as JSON, with a workload from a file and options that override the file', async () => {
    const args = ['--workload', path('workload.yaml'), '--writes', '3000/s', '--ttl', '6h', '--json']
    const { code, stdout } = await runCommand(['plan', path('drives.ndjson'), ...args])

    const report = JSON.parse(stdout) as PlanReport
    expect(code).toBe(0)
    expect(report).toMatchObject({
      schemaVersion: 1,
      sample: { records: 3000, seed: 1 },
      verdict: { candidate: '/vin' }
    })
    expect(report.workload).toContainEqual({ name: 'writes', value: '3,000/s (upsert)' })
    expect(stdout).not.toContain('vin-7')
  })

  it('ends with exit code 0 if the usable share of the plan of --check is above --min-usable, and with 4 if it is below', async () => {
    const args = ['plan', path('drives.ndjson'), ...LOAD, '--items', '3000', '--min-usable', '60%']

    expect(await runCommand([...args, '--check', path('vin.json')])).toMatchObject({ code: 0 })
    expect(await runCommand([...args, '--check', path('date.json')])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining(
        'date.json, the load can use 10 % of the RU/s, which is less than --min-usable (60 %)'
      )
    })
  })

  it('writes the recommended key plan, or prints that the recommended key needs no plan', async () => {
    const none = await runCommand(['plan', path('drives.ndjson'), ...LOAD, '--write', path('out.json')])
    expect(none.stderr).toContain('is not written: the verdict needs no key plan')

    const records = Array.from({ length: 4000 }, (_, index) => ({
      id: `r-${index}`,
      plant: index % 40,
      line: index % 37
    }))
    writeFileSync(path('lines.ndjson'), `${records.map((record) => JSON.stringify(record)).join('\n')}\n`)
    const load = ['--writes', '5000/s', '--ttl', '6h', '--query', 'plant, line @ 2000/s', '--changes', 'id']
    const { code } = await runCommand(['plan', path('lines.ndjson'), ...load, '--write', path('out.json')])

    expect(code).toBe(0)
    expect(JSON.parse(readFileSync(path('out.json'), 'utf8'))).toEqual({
      into: '/partitionKey',
      from: [{ field: '/plant' }, { field: '/line' }]
    })
  })

  it('reads queries in SQL from the command line and from a workload, and lists the conditions that it does not use', async () => {
    const query = 'SELECT * FROM c WHERE c.vin = @vin AND EXISTS(SELECT VALUE 1) AND c.dat >= @from @ 20/s'
    const args = ['plan', path('drives.ndjson'), '--writes', '3000/s', '--ttl', '6h', '--json']
    const { code, stdout } = await runCommand([...args, '--query', query])

    const report = JSON.parse(stdout) as PlanReport
    expect({ code, verdict: report.verdict.candidate }).toEqual({ code: 0, verdict: '/vin' })
    expect(report.candidates[0].queries).toMatchObject([{ name: query, kind: 'key', ranges: 1 }])
    const [absent, unread] = report.assumptions.map(({ what }) => what)
    expect(absent).toBe(`No record of the sample has /dat, which the query "${query}" filters by. Did you mean /date?`)
    expect(unread).toContain('the condition EXISTS(SELECT VALUE 1) is not used')

    writeFileSync(
      path('sql.yaml'),
      'queries:\n  - sql: SELECT * FROM c WHERE c.date = @d AND c.at > @a AND c.at < @b\n    between: [{ field: at, length: 1h }]\n    rate: 5/s\n    name: a day'
    )
    const ofFile = await runCommand([...args, '--workload', path('sql.yaml'), '--compare', path('date.json')])
    const compared = (JSON.parse(ofFile.stdout) as PlanReport).candidates.find(({ name }) => name === path('date.json'))
    expect(compared?.queries).toMatchObject([{ name: 'a day', kind: 'key' }])
    expect(ofFile.stdout).not.toContain('the length of the range')
  })

  it('draws the same random sample for the same seed, at random positions of a file or while it reads a stream', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) =>
      JSON.stringify({ id: `r-${index}`, vin: `vin-${index % 5000}` })
    )
    writeFileSync(path('many.ndjson'), lines.join('\n'))
    const drawn = await reportOf([path('many.ndjson'), '--sample', '2000'])
    expect(drawn.sample).toMatchObject({ records: 2000, method: 'uniform', seed: 1, halvesDiffer: false })
    expect(drawn.basis['keys']).toBe(
      '2,000 records of the sample, read at random positions, each record with the same probability'
    )
    expect(await reportOf([path('many.ndjson'), '--sample', '2000', '--seed', '1'])).toEqual(drawn)
    const { low, high } = drawn.candidates.find(({ name }) => name === '/vin')!.distinctKeys
    expect(low).toBeLessThanOrEqual(5000)
    expect(high).toBeGreaterThanOrEqual(5000)
    expect((await reportOf(['--sample', '2000'], lines.join('\n'))).sample).toMatchObject({
      records: 2000,
      method: 'reservoir',
      halvesDiffer: false
    })
    expect((await reportOf(['--sample', '30000'], lines.join('\n'))).sample).toMatchObject({
      records: 20_000,
      method: 'whole'
    })
  })

  it.each<[string, string, string | Buffer, string]>([
    ['blank lines', 'blank.ndjson', '\n \n', 'The sample has no records: check that the input is not empty.'],
    ['CSV with a header only', 'header.csv', 'a,b\n', 'The sample has no records'],
    [
      'an array',
      'array.json',
      '[{"a":1},\n{"a":2}]',
      'array.json is a JSON array, not lines of JSON: read it with --array'
    ],
    ['a document over several lines', 'doc.json', '{\n"a": 1\n}', 'doc.json is a JSON document over several lines'],
    [
      'CSV under another name',
      'data.txt',
      'a,b\n1,2\n',
      'data.txt looks like CSV, not lines of JSON: read it with --csv'
    ],
    ['Parquet', 'a.parquet', 'PAR1\0\0\0', 'is a Parquet file, not text. Export it as lines of JSON or as CSV first'],
    [
      'XML',
      'a.xml',
      '<a>\n<b/>\n</a>\n',
      'None of the 3 records of the sample is a JSON object. Write each record as a JSON object'
    ],
    ['a number on each line', 'n.ndjson', '1\n2\n', 'None of the 2 records of the sample is a JSON object'],
    [
      'text that is not UTF-8',
      'latin.ndjson',
      Buffer.from('{"a":"\u00e9"}\n', 'latin1'),
      'The record of the sample is not a JSON object. Write'
    ],
    ['a missing file', 'missing.ndjson', '', 'missing.ndjson cannot be read: there is no such file']
  ])('refuses %s with a sentence that says what to do', async (_title, name, content, sentence) => {
    if (name !== 'missing.ndjson') writeFileSync(path(name), content)
    const { code, stdout, stderr } = await runCommand(['plan', path(name), ...LOAD])

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(sentence)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it('warns of records that are not JSON objects, and counts the other records', async () => {
    const lines = Array.from({ length: 300 }, (_, index) => (index % 10 === 0 ? '{oops' : `{"id":"${index}"}`))

    const { code, stdout, stderr } = await runCommand(['plan', ...LOAD, '--json'], { input: lines.join('\n') })

    expect(code).toBe(0)
    expect((JSON.parse(stdout) as PlanReport).sample.records).toBe(270)
    expect(stderr).toBe('keystamp: warning: 30 of 300 records are not JSON objects, and are ignored.\n')
  })

  it('reports that no field can be a key if all records have one field with the same value', async () => {
    const one = await runCommand(['plan', ...LOAD], { input: '{"a":1}\n'.repeat(200) })
    expect(one).toMatchObject({
      code: 4,
      stdout: expect.stringMatching(/^No field of the sample can be a key: a/)
    })

    const lines = Array.from({ length: 2000 }, (_, index) => `{"a":${index % 1000}}`)
    const many = await runCommand(['plan', '--writes', '3000/s', '--ttl', '6h'], { input: lines.join('\n') })
    expect(many).toMatchObject({ code: 0, stdout: expect.stringContaining('/a') })
  })

  it.each<[string, string, string]>([
    ['no content', '', 'is empty: write properties into it, such as writes: 5000/s'],
    ['a list instead of an object', '- a', 'is not an object: write properties'],
    ['text instead of an object', 'many writes', 'is not an object: write properties'],
    ['a mean load above the peak', 'writes: { rate: 10/s, mean: 20/s }', '/writes/mean is above the peak'],
    ['two mean loads', 'writes: { rate: 10/s, mean: 5/s }\nmeanUtilization: 90%', 'contradicts the mean of the writes'],
    ['more growth than writes', 'writes: 1/s\nitemSize: 1KB\ngrowth: 1TB/day', '/growth contradicts writes'],
    ['a percentage above 100', 'writes: { rate: 10/s, existing: 140% }', 'not "140%": it is more than 100 %'],
    ['a misspelled property', 'write: 5/s', 'is not known; did you mean "writes"?']
  ])('refuses a workload with %s', async (_title, content, sentence) => {
    writeFileSync(path('bad.yaml'), content)
    const { code, stderr } = await runCommand(['plan', path('drives.ndjson'), '--workload', path('bad.yaml')])

    expect(code).toBe(2)
    expect(stderr).toContain(sentence)
    expect(stderr).not.toMatch(/undefined|null|destructure/)
  })

  it.each([
    ['a file without records', [], '', 'The sample has no records'],
    ['a rate that cannot be read', ['--writes', 'many'], '{"a":1}\n', '--writes'],
    ['contradictory sizes', ['--items', '10', '--size', '1KB', '--total', '1TB'], '{"a":1}\n', 'total'],
    ['an operation without a rate', ['--operation', 'create'], '{"a":1}\n', '--operation needs --writes, such as'],
    ['a share above 100 %', ['--min-usable', '140%'], '{"a":1}\n', '--min-usable'],
    ['SQL without a rate', ['--query', 'SELECT * FROM c WHERE c.a = @a'], '{"a":1}\n', 'the rate is missing'],
    ['a sample of 0 records', ['--sample', '0'], '{"a":1}\n', '--sample must be at least 1'],
    [
      'a sample of described fields',
      ['--sample', '9', '--field', 'a:9'],
      '',
      '--sample selects records of existing data'
    ],
    ['a seed that is not a number', ['--seed', 'x'], '{"a":1}\n', '--seed must be a whole number']
  ])('refuses %s with a sentence', async (_title, args, input, sentence) => {
    const { code, stdout, stderr } = await runCommand(['plan', ...args], { input })

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(sentence)
    expect(stderr).not.toMatch(/undefined|at .*\.[tj]s:/)
  })
})
