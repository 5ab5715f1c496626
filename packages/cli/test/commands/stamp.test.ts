import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { runCommand } from '../run-command.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

const LINE = '{"deviceId":"a","date":"2018-08-09"}\n'
const STAMPED = '{"deviceId":"a","date":"2018-08-09","partitionKey":"a"}\n'

describe('keystamp stamp', () => {
  const path = useTemporaryFolder()

  test('stamps records from standard input to standard output by a plan with comments', async () => {
    writeFileSync(path('plan.json'), '// the key\n{"into":"/partitionKey","from":[{"field":"/deviceId" /* text */}]}')

    const { code, stdout, stderr } = await runCommand(['stamp', '--plan', path('plan.json')], { input: LINE })

    expect({ code, stdout }).toEqual({ code: 0, stdout: STAMPED })
    expect(stderr).toMatch(/^1 record stamped, 0 rejected; 37 B in, 56 B out in \d+\.\d s/)
  })

  test('stamps the records of files and globs into one file, with a plan on the command line', async () => {
    mkdirSync(path('data/deep'), { recursive: true })
    for (const name of ['data/b.ndjson', 'data/a.ndjson', 'data/deep/c.ndjson', 'data/x.txt'])
      writeFileSync(path(name), LINE)

    const { code } = await runCommand([
      'stamp',
      '--from',
      'deviceId',
      path('data/**/*.ndjson'),
      path('data/x.txt'),
      '-o',
      path('out.ndjson'),
      '-q'
    ])

    expect(code).toBe(0)
    expect(readFileSync(path('out.ndjson'), 'utf8')).toBe(STAMPED.repeat(4))
  })

  test('refuses a glob that matches the output, and reads a file only once if it is named twice', async () => {
    mkdirSync(path('data'))
    writeFileSync(path('data/a.ndjson'), LINE)
    const command = [
      'stamp',
      '--from',
      'deviceId',
      path('data/*.ndjson'),
      path('data/../data/a.ndjson'),
      '-q',
      '-o',
      path('data/out.ndjson')
    ]

    expect(await runCommand(command)).toMatchObject({ code: 0 })
    expect(readFileSync(path('data/out.ndjson'), 'utf8')).toBe(STAMPED)
    expect(await runCommand(command)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('out.ndjson is also the output')
    })
    expect(readFileSync(path('data/out.ndjson'), 'utf8')).toBe(STAMPED)
  })

  test('writes a suffix computed from a field', async () => {
    const { stdout } = await runCommand(['stamp', '--from', 'date', '--suffix', '400', '--by', 'deviceId', '-q'], {
      input: LINE
    })

    expect(JSON.parse(stdout)).toMatchObject({ partitionKey: expect.stringMatching(/^2018-08-09\.\d{1,3}$/) })
  })

  test('stamps an array, which can be inside a document, and writes lines or an array', async () => {
    const array = await runCommand(['stamp', '--from', 'id', '--array', '-q'], { input: '[{"id":"a"},{"id":"b"}]' })
    const picked = await runCommand(['stamp', '--from', 'id', '--pick', 'a.b', '--to-array', '-q'], {
      input: '{"a":{"b":[{"id":"a"}]}}'
    })
    const wrong = await runCommand(['stamp', '--from', 'id', '--to-array'], { input: '[]' })

    expect(array).toEqual({
      code: 0,
      stdout: '{"id":"a","partitionKey":"a"}\n{"id":"b","partitionKey":"b"}\n',
      stderr: ''
    })
    expect(JSON.parse(picked.stdout)).toEqual([{ id: 'a', partitionKey: 'a' }])
    expect(wrong).toMatchObject({ code: 2, stderr: 'keystamp: --to-array needs --array, --pick or CSV.\n' })
  })

  test('stops at a record without a key and leaves no file', async () => {
    writeFileSync(path('in.ndjson'), `${LINE}{"x":1}\n`)

    const { code, stderr } = await runCommand([
      'stamp',
      '--from',
      'deviceId',
      path('in.ndjson'),
      '-o',
      path('out.ndjson')
    ])

    expect(code).toBe(3)
    expect(stderr).toBe('keystamp: Line 2, byte 37: A field of the key is missing: /deviceId.\n')
    expect(readdirSync(path('.'))).toEqual(['in.ndjson'])
  })

  test('skips or collects rejected records, and reports their number', async () => {
    const input = `${LINE}{"x":1}\nnonsense\n`

    const skipped = await runCommand(['stamp', '--from', 'deviceId', '--on-error', 'skip'], { input })
    const collected = await runCommand(
      ['stamp', '--from', 'deviceId', '--on-error', `collect:${path('bad.ndjson')}`, '-q'],
      { input }
    )

    expect(skipped).toMatchObject({ code: 0, stdout: STAMPED })
    expect(skipped.stderr).toMatch(
      /1 record stamped, 2 rejected;.*\n {2}FIELD_MISSING: 1\n {2}JSON_INVALID: 1\n {2}The first: Line 2, byte 37: A field of the key is missing: \/deviceId\.\n$/
    )
    expect(collected).toEqual({ code: 0, stdout: STAMPED, stderr: '' })
    expect(readFileSync(path('bad.ndjson'), 'utf8').trim().split('\n')).toHaveLength(2)
  })

  test.each([
    ['skip', true],
    ['collect', false]
  ])(
    'warns that nothing was written if every record was rejected (--on-error %s, with the first reason: %s)',
    async (policy, hasReason) => {
      const onError = policy === 'skip' ? policy : `collect:${path('bad.ndjson')}`

      const { code, stderr } = await runCommand(['stamp', '--from', 'deviceid', '--on-error', onError], { input: LINE })

      expect(code).toBe(0)
      expect(
        stderr.includes(
          'The first: Line 1, byte 0: A field of the key is missing: /deviceid. Did you mean /deviceId?\n'
        )
      ).toBe(hasReason)
      expect(stderr).toMatch(/keystamp: warning: nothing was written: every record was rejected\.\n$/)
    }
  )

  test('treats an empty value of CSV as a missing field, even if it is quoted', async () => {
    writeFileSync(
      path('plan.json'),
      '{"into":"/pk","from":[{"field":"/a","missing":{"use":"missing"},"empty":{"use":"empty"}}]}'
    )

    const { stdout } = await runCommand(['stamp', '--plan', path('plan.json'), '--csv', '-q'], {
      input: 'id,a\n1,\n2,""\n'
    })

    expect(stdout).toBe('{"id":"1","pk":"missing"}\n{"id":"2","pk":"missing"}\n')
  })

  test('reports the file if a record of an array is rejected, or if there is no array at the path of --pick', async () => {
    writeFileSync(path('in.json'), '{"a":[{"x":1}]}')
    const stamp = (pick: string) => runCommand(['stamp', '--from', 'deviceId', '--pick', pick, path('in.json')])

    expect(await stamp('a')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(` of ${path('in.json')}: A field`)
    })
    expect(await stamp('b')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(` of ${path('in.json')}: there is no array at b`)
    })
  })

  test('refuses to collect rejected records in an input, in the output or in an existing file', async () => {
    for (const name of ['in.ndjson', 'old.ndjson']) writeFileSync(path(name), `${LINE}{"x":1}\n`)
    const stamp = (output: string, collect: string) =>
      runCommand([
        'stamp',
        '--from',
        'deviceId',
        path('in.ndjson'),
        '-o',
        path(output),
        '--on-error',
        `collect:${path(collect)}`
      ])

    const input = await stamp('out.ndjson', 'in.ndjson')
    const output = await stamp('out.ndjson', 'out.ndjson')
    const other = await stamp('out.ndjson', 'old.ndjson')

    const another = 'Name another file for rejected records'
    expect(input).toMatchObject({
      code: 2,
      stderr: `keystamp: ${path('in.ndjson')} is one of the inputs. ${another}.\n`
    })
    expect(output).toMatchObject({
      code: 2,
      stderr: `keystamp: ${path('out.ndjson')} is also the output. ${another}.\n`
    })
    expect(other).toMatchObject({
      code: 2,
      stderr: `keystamp: ${path('old.ndjson')} exists already. ${another}, or remove it.\n`
    })
    expect(readdirSync(path('.')).toSorted()).toEqual(['in.ndjson', 'old.ndjson'])
    expect(readFileSync(path('in.ndjson'), 'utf8')).toBe(`${LINE}{"x":1}\n`)
  })

  test('stops when more records are rejected than --max-rejected allows, with the first reasons', async () => {
    const input = '{"x":1}\n'.repeat(3)

    const { code, stderr } = await runCommand(
      ['stamp', '--from', 'deviceId', '--on-error', 'skip', '--max-rejected', '1'],
      { input }
    )

    expect(code).toBe(3)
    expect(stderr).toContain(
      '2 of 2 records were rejected; the limit is 1. The first reasons:\n  Line 1, byte 0: A field'
    )
  })

  test('shows a progress bar on a terminal, lines with --progress plain, and no progress in a pipe', async () => {
    writeFileSync(path('in.ndjson'), LINE)
    const args = ['stamp', '--from', 'deviceId', path('in.ndjson'), '-o', path('out.ndjson'), '-q']

    const bar = await runCommand(args, { isTTY: true })
    const plain = await runCommand([...args, '--progress', 'plain'])
    const pipe = await runCommand(args)

    const frame: unknown = expect.stringMatching(/^█+ {2}100 % {2}1 record /)
    expect(bar.stderr.split('\r\u001b[K')).toEqual(['', frame, frame, ''])
    expect(plain.stderr).toMatch(/^(.*\d+ records? {2}.*\n)+$/)
    expect(pipe.stderr).toBe('')
  })

  test('prints the warnings of a plan, unless --quiet is given', async () => {
    const warned = await runCommand(['stamp', '--from', 'date'], { input: LINE })
    const quiet = await runCommand(['stamp', '--from', 'date', '-q'], { input: LINE })

    expect(warned.stderr).toContain('keystamp: warning: /from: A key that consists only of a time')
    expect(quiet.stderr).toBe('')
  })

  test('ends with exit code 130 when it is interrupted', async () => {
    const { code, stderr } = await runCommand(['stamp', '--from', 'deviceId'], {
      input: LINE,
      signal: AbortSignal.abort()
    })

    expect(code).toBe(130)
    expect(stderr).toBe('keystamp: interrupted. No output file was created or replaced.\n')
  })

  test.each([
    [['stamp'], 2, 'Name a key plan: --plan plan.json'],
    [['stamp', '--plan', 'nope.json'], 2, 'The plan nope.json cannot be read: there is no such file or folder.'],
    [['stamp', '--from', 'a', '--suffix', 'many', '--by', 'b'], 2, '--suffix takes a whole number, not "many".'],
    [['stamp', '--from', 'a', '--suffix', '4'], 2, '--suffix needs --by'],
    [['stamp', '--from', 'a', '--by', 'b'], 2, '--by and --labels need --suffix.'],
    [['stamp', '--from', 'a', '--separator', 'xx'], 2, 'The key plan has a mistake'],
    [
      ['stamp', '--from', 'a', '--on-error', 'ignore'],
      2,
      '--on-error takes throw, skip or collect:<file>, not "ignore".'
    ],
    [['stamp', '--from', 'a', '--max-rejected', 'few'], 2, '--max-rejected must be a whole number'],
    [['stamp', '--from', 'a', '--progress', 'fast'], 2, '--progress takes bar, plain or none, not "fast".'],
    [['stamp', '--from', 'a', 'nope/*.ndjson'], 2, 'No file matches nope/*.ndjson.'],
    [['stamp', '--from', 'a', 'nope.ndjson'], 1, 'nope.ndjson cannot be read: there is no such file or folder.'],
    [
      ['stamp', '--from', 'a', '-o', '/nope/out.ndjson'],
      1,
      '/nope/out.ndjson cannot be written: there is no such file or folder.'
    ],
    [['stamp', '--form', 'a'], 2, "unknown option '--form'"],
    [['stump'], 2, "unknown command 'stump'"]
  ])('refuses %j with exit code %i and a sentence', async (args, code, sentence) => {
    const ran = await runCommand(args)

    expect(ran.code).toBe(code)
    expect(ran.stderr).toContain(sentence)
    expect(ran.stderr).not.toMatch(/\n\s+at /)
    expect(ran.stdout).toBe('')
  })

  test('reports the file of an invalid plan and each of its mistakes', async () => {
    writeFileSync(path('plan.json'), '{"into":"/pk","form":[]}')
    writeFileSync(path('broken.json'), '{"into":')

    const mistaken = await runCommand(['stamp', '--plan', path('plan.json')])
    const broken = await runCommand(['stamp', '--plan', path('broken.json')])

    expect(mistaken).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('/form is not known; did you mean "from"?')
    })
    expect(broken).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`The plan ${path('broken.json')} is not valid JSON`)
    })
  })

  test('shows an example in its help', async () => {
    const { code, stdout } = await runCommand(['stamp', '--help'])

    expect(code).toBe(0)
    expect(stdout).toContain('$ keystamp stamp --plan plan.json in.ndjson -o out.ndjson')
  })
})
