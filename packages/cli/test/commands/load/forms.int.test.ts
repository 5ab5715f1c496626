import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { GOLDEN_CHANGES, GOLDEN_MESSAGE, GOLDEN_TRUNCATE } from '@keystamp/testkit'
import { describe, expect, it } from 'vitest'
import { linesOf } from '../../../../files/test/inputs/lines-of.ts'
import { useTargets } from '../../load/start-target.ts'
import { runCommand } from '../../run-command.ts'
import { useTemporaryFolder } from '../../temporary-folder.ts'

describe('keystamp load of CSV and arrays', () => {
  const start = useTargets()
  const path = useTemporaryFolder()

  it('loads .csv and .csv.gz files as CSV, with strings as values and without empty values', async () => {
    const { to, documents } = await start()
    writeFileSync(path('a.csv'), '\uFEFFid,deviceId,n,note\n1,x,007,"a, ""b""\nc"\n2,x,,\n')
    writeFileSync(path('b.csv.gz'), gzipSync('id,deviceId\n3,y\n'))

    const ran = await runCommand(['load', '--from', 'deviceId', '--to', to, '-q', path('a.csv'), path('b.csv.gz')])

    expect(ran).toEqual({ code: 0, stdout: '', stderr: '' })
    expect((await documents()).map(stripped).toSorted((a, b) => Number(a.id) - Number(b.id))).toEqual([
      { id: '1', deviceId: 'x', n: '007', note: 'a, "b"\nc', partitionKey: 'x' },
      { id: '2', deviceId: 'x', partitionKey: 'x' },
      { id: '3', deviceId: 'y', partitionKey: 'y' }
    ])
  })

  it.each([
    ['CSV with semicolons from standard input', ['--csv', '--delimiter', ';'], 'id;deviceId\n1;x\n'],
    ['an array', ['--array'], '[{"id":"1","deviceId":"x"}]'],
    ['an array inside a document', ['--pick', 'a.b'], '{"a":{"b":[\n{"id":"1",\n"deviceId":"x"}]}}']
  ])('loads %s', async (_, options, input) => {
    const { to, documents } = await start()

    const ran = await runCommand(['load', '--from', 'deviceId', '--to', to, '-q', ...options], { input })

    expect(ran).toEqual({ code: 0, stdout: '', stderr: '' })
    expect((await documents()).map(stripped)).toEqual([{ id: '1', deviceId: 'x', partitionKey: 'x' }])
  })

  it('reports that a record of CSV in Windows-1252 is not UTF-8', async () => {
    const { to } = await start()
    writeFileSync(path('in.csv'), Buffer.from('id,deviceId\n1,x\n2,caf\u00e9\n', 'latin1'))

    const { code, stderr } = await runCommand(['load', '--from', 'deviceId', '--to', to, path('in.csv')])

    expect({ code, stderr }).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('in.csv, line 3: The record is not UTF-8. Convert the file')
    })
  })

  it.each(['in.csv', 'in.csv.gz'])('resumes %s at the record that stopped the load', async (name) => {
    const { to, documents, emulator } = await start()
    const rows = Array.from({ length: 600 }, (_, n) => `r${n},"d\n${n % 7}"\n`)
    const content = `id,deviceId\n${rows.slice(0, 300).join('')}bad,\n${rows.slice(300).join('')}`
    writeFileSync(path(name), name.endsWith('.gz') ? gzipSync(content) : content)
    const command = ['load', '--from', 'deviceId', '--to', to, path(name)]

    const first = await runCommand(command)

    expect(first).toMatchObject({ code: 3, stderr: expect.stringContaining(`${name}, line 602: A field`) })
    const checkpoint = JSON.parse(readFileSync(path(`${name}.checkpoint`), 'utf8')) as { place: object }
    expect(checkpoint.place).toMatchObject({ line: 300 })

    emulator.clearOperations()
    const second = await runCommand([...command, '--on-error', `collect:${path('bad.ndjson')}`])

    expect(second).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('keystamp: resuming after record 300 of ')
    })
    expect(JSON.parse(readFileSync(path('bad.ndjson'), 'utf8'))).toMatchObject({ line: 602, record: '{"id":"bad"}' })
    expect(emulator.operations()).toHaveLength(300)
    expect(await documents()).toHaveLength(600)
    expect(existsSync(path(`${name}.checkpoint`))).toBe(false)
  })

  it('resumes CSV at the byte in the checkpoint, and reports the line numbers of the whole file', async () => {
    const { to, documents, emulator } = await start({ latencyMs: 5 })
    const rows = Array.from({ length: 30_000 }, (_, n) => `r${n},"d\n${n % 7}","${'x'.repeat(40)}"\n`)
    writeFileSync(path('in.csv'), `id,deviceId,text\n${rows.join('')}bad,,\n`)
    const command = ['load', '--from', 'deviceId', '--to', to, path('in.csv')]
    const abort = new AbortController()
    const watch = setInterval(() => {
      if (emulator.operations().length > 5000) abort.abort()
    }, 5)
    await runCommand(command, { signal: abort.signal })
    clearInterval(watch)
    const { place } = JSON.parse(readFileSync(path('in.csv.checkpoint'), 'utf8')) as {
      place: { from: Record<string, number> }
    }
    expect(place.from.byte).toBeGreaterThan(1000)
    expect(place.from.textLine).toBe(place.from.line * 2 + 2)

    const { code, stderr } = await runCommand(command)

    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining('in.csv, line 60002: A field') })
    expect(await documents()).toHaveLength(30_000)
  })

  it('resumes an array at the element that stopped the load', async () => {
    const { to, documents, emulator } = await start()
    const elements = linesOf(20).trim().split('\n')
    writeFileSync(path('in.json'), `[${[...elements.slice(0, 9), '{"id":"bad"}', ...elements.slice(9)].join(',\n')}]`)
    const command = ['load', '--from', 'deviceId', '--to', to, '--array', path('in.json')]

    const first = await runCommand(command)
    emulator.clearOperations()
    const second = await runCommand([...command, '--on-error', 'skip'])

    expect(first).toMatchObject({ code: 3, stderr: expect.stringContaining('in.json, record 9: A field') })
    expect(second).toMatchObject({ code: 0 })
    expect(emulator.operations()).toHaveLength(11)
    expect(await documents()).toHaveLength(20)
    await runCommand(command)
    expect(await runCommand(command.filter((word) => word !== '--array'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('another choice of --csv, --delimiter, --array or --pick')
    })
  })

  it('rejects a record of CSV that has another number of columns or is too long, and reports its line', async () => {
    const { to } = await start()
    const input = `id,deviceId\n1\n2,${'x'.repeat(200)}\n3,x\n`
    const command = ['load', '--from', 'deviceId', '--to', to, '--csv', '--max-record-bytes', '100', '--on-error']

    const { code, stderr } = await runCommand([...command, `collect:${path('bad.ndjson')}`], { input })

    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('1 record written, 2 rejected') })
    const rejected = readFileSync(path('bad.ndjson'), 'utf8').trim().split('\n')
    expect(rejected.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { line: 2, code: 'CSV_COLUMNS' },
      { line: 3, code: 'JSON_TOO_LARGE' }
    ])
  })

  it.each([
    ['CSV', 'in.txt', 'id,deviceId\n1,x\n', 'looks like CSV, not lines of JSON: read it with --csv.'],
    ['CSV with semicolons', 'in.txt', 'id;deviceId\n1;x\n', "read it with --csv and --delimiter ';'."],
    ['a CSV file with semicolons', 'in.csv', 'id;deviceId\n1;x\n', "read it with --delimiter ';'."],
    ['an array', 'in.json', '[{"id":"1"},\n{"id":"2"}]', 'is a JSON array, not lines of JSON: read it with --array.'],
    [
      'a pretty-printed document',
      'in.json',
      '{\n  "id": "1"\n}\n',
      'read an array inside the document with --pick a.b.'
    ],
    ['gzip', 'in.ndjson', gzipSync('{}\n'), 'is compressed with gzip: let the name end in .gz'],
    ['UTF-16', 'in.ndjson', Buffer.from('\uFEFF{}\n', 'utf16le'), 'is text in UTF-16LE']
  ])('suggests the option that reads %s, and so does keystamp stamp', async (_, name, content, sentence) => {
    const { to, documents } = await start()
    writeFileSync(path(name), content)

    const loaded = await runCommand(['load', '--from', 'deviceId', '--to', to, '--on-error', 'skip', path(name)])
    const stamped = await runCommand(['stamp', '--from', 'deviceId', '--on-error', 'skip', path(name)])

    for (const ran of [loaded, stamped])
      expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) })
    expect(await documents()).toEqual([])
  })

  it.each(['PostgreSQL', 'MySQL', 'MongoDB'])(
    'loads and stamps the change data that Debezium documents for %s',
    async (name) => {
      const { to, documents } = await start()
      const changes = [...GOLDEN_CHANGES, GOLDEN_TRUNCATE, GOLDEN_MESSAGE].filter(({ database }) => database === name)
      const field = name === 'MongoDB' ? '/_id/$oid' : '/id'
      const plan = { into: '/partitionKey', from: [{ field }], id: { from: [{ field }] } }
      writeFileSync(path('plan.json'), JSON.stringify(plan))
      writeFileSync(path('in.ndjson'), changes.map(({ envelope }) => `${JSON.stringify(envelope)}\n`).join(''))
      const args = ['--debezium', '--plan', path('plan.json'), path('in.ndjson'), '-q', '--on-error']
      const withoutRow = changes.filter(({ envelope, before }) => envelope['op'] === 'd' && before === undefined)

      expect(await runCommand(['load', '--to', to, ...args, `collect:${path('bad')}`])).toMatchObject({ code: 0 })
      expect(await runCommand(['stamp', ...args, 'skip', '-o', path('out.ndjson')])).toMatchObject({ code: 0 })

      const codes = readFileSync(path('bad'), { encoding: 'utf8', flag: 'a+' }).match(/"code":"\w+"/g) ?? []
      const expected = [
        ...withoutRow.map(() => 'BEFORE_MISSING'),
        ...(name === 'PostgreSQL' ? ['TRUNCATE_REJECTED'] : [])
      ]
      expect(codes.toSorted()).toEqual(expected.map((code) => `"code":"${code}"`).toSorted())
      // each history ends with a delete of its row
      expect(await documents()).toEqual([])
      const stamped = readFileSync(path('out.ndjson'), 'utf8').trim().split('\n')
      expect(stamped).toHaveLength(changes.length - withoutRow.length)
      const rows = changes.filter(({ before, after }) => (before ?? after) !== undefined)
      expect(stamped.filter((line) => line.includes('partitionKey'))).toHaveLength(rows.length)
    }
  )

  it('reads a sample of CSV in a dry run', async () => {
    const { to } = await start()
    writeFileSync(path('in.csv'), 'id,deviceId\n1,x\n2,y\n3\n')

    const { stdout } = await runCommand(['load', '--from', 'deviceId', '--to', to, '--dry-run', path('in.csv')])

    expect(stdout).toContain('under 2 keys')
    expect(stdout).toContain('1 would be rejected: CSV_COLUMNS')
  })

  it.each([
    [['--csv', '--array'], '--csv cannot be combined with --array or --pick'],
    [['--delimiter', ';'], '--delimiter needs CSV'],
    [['--csv', '--delimiter', 'semicolon'], '--delimiter must be one character'],
    [['--max-record-bytes', 'many'], '--max-record-bytes takes a whole number']
  ])('refuses %j', async (options, sentence) => {
    const { to } = await start()

    expect(await runCommand(['load', '--from', 'deviceId', '--to', to, ...options])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(sentence)
    })
  })
})

function stripped(document: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !name.startsWith('_')))
}
