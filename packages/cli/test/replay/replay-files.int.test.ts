import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { useTargets } from '../load/start-target.ts'
import { runCommand } from '../run-command.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

const COMMAND = fileURLToPath(new URL('../../bin/keystamp.mjs', import.meta.url))
const FIXED = ['--from', 'device', '--id', 'position']

describe('keystamp replay of rejected records of files', () => {
  const start = useTargets()
  const path = useTemporaryFolder()

  it('stores records that a load has rejected under the ids of their lines, keeps existing documents, and marks them', async () => {
    const { to, documents } = await start()
    writeFileSync(path('a.ndjson'), '{"device":"x"}\nnonsense\n{"device":"y"}\n')
    const collect = `collect:${path('bad.ndjson')}`
    const wrong = ['load', '--from', 'Device', '--id', 'position', '--to', to, '--on-error', collect, '--no-checkpoint']
    expect((await runCommand([...wrong, path('a.ndjson')])).code).toBe(0)
    const replay = ['replay', '--to', to, ...FIXED, '--strategy', 'append', '--journal', path('journal')]

    const dry = await runCommand([...replay, '--dry-run', path('bad.ndjson')])
    expect(dry).toEqual({
      code: 0,
      stderr: '',
      stdout:
        '3 rejected records read, 3 to replay.\n  2 x FIELD_MISSING\n  1 x JSON_INVALID\n' +
        'Each is stored only if its document does not exist.\nNothing was written.\n'
    })
    expect(await documents()).toEqual([])
    expect(existsSync(path('journal'))).toBe(false)

    const load = ['load', ...FIXED, '--to', to, '--no-checkpoint', '--on-error', 'skip', '-q', path('a.ndjson')]
    writeFileSync(path('a.ndjson'), '{"device":"x","n":1}\n')
    expect((await runCommand(load)).code).toBe(0)
    const { code, stdout } = await runCommand([...replay, '--yes', path('bad.ndjson')])
    expect({ code, stdout: stdout.split('\n').slice(4) }).toEqual({
      code: 4,
      stdout: [
        '1 stored, 1 not stored, because the stored document stays.',
        '1 rejected again:',
        expect.stringMatching(/^ {2}1 x JSON_INVALID: /) as string,
        ''
      ]
    })
    const id = path('a.ndjson').replaceAll(/[^A-Za-z0-9._-]/g, '_')
    const stored = (await documents()).map(({ id: each, device, n }) => [each, device, n])
    expect(sorted(stored)).toEqual([
      [`${id}-1`, 'x', 1],
      [`${id}-3`, 'y', undefined]
    ])

    const again = await runCommand([...replay, '--yes', '--json', path('bad.ndjson')])
    expect(JSON.parse(again.stdout)).toMatchObject({
      read: 3,
      replayedBefore: 2,
      matched: { JSON_INVALID: 1 },
      by: 'create',
      result: { stored: 0, kept: 0, rejected: { JSON_INVALID: 1 }, open: 0 }
    })
  })

  it('never replaces a document whose field is higher, also within a file', async () => {
    const { to, documents } = await start()
    await runCommand(['load', '--from', 'device', '--to', to, '-q'], {
      input: '{"id":"a","device":"d","t":5}\n{"id":"b","device":"d","t":5}\n'
    })
    const records = ['a', 4, 'b', 6, 'c', 3, 'c', 2].flatMap((id, at, all) =>
      at % 2 === 0 ? [JSON.stringify({ id, device: 'd', t: all[at + 1] })] : []
    )
    writeFileSync(path('bad.ndjson.gz'), gzipSync(records.map((record, n) => line(n + 1, record)).join('')))

    const args = ['--from', 'device', '--newer-by', 't', '--journal', path('journal'), '--yes']
    const { code, stdout } = await runCommand(['replay', '--to', to, ...args, '--json', path('bad.ndjson.gz')])

    expect({ code, by: (JSON.parse(stdout) as { by: string }).by }).toEqual({ code: 0, by: 'newest' })
    expect(sorted((await documents()).map(({ id, t }) => [id, t]))).toEqual([
      ['a', 5],
      ['b', 6],
      ['c', 3]
    ])
  })

  it('stores records that `stamp` has rejected, of an array and of CSV', async () => {
    const { to, documents } = await start()
    writeFileSync(path('a.json'), '[{\n"id":"1",\n"device":"x"}, 5]')
    writeFileSync(path('b.csv'), 'id,device\n2,y\n')
    for (const [input, bad] of [
      ['a.json', 'a.bad'],
      ['b.csv', 'b.bad']
    ]) {
      const form = input === 'a.json' ? ['--array'] : []
      const args = ['stamp', '--from', 'Device', ...form, path(input), '-o', path('out'), '-q']
      await runCommand([...args, '--on-error', `collect:${path(bad)}`])
    }

    const args = ['replay', '--to', to, '--from', 'device', '--strategy', 'append', '--journal', path('journal')]
    const { code, stdout } = await runCommand([...args, '--yes', '--json', path('a.bad'), path('b.bad')])

    expect(JSON.parse(stdout)).toMatchObject({ read: 3, result: { stored: 2, rejected: { JSON_NOT_OBJECT: 1 } } })
    expect(code).toBe(4)
    expect(sorted((await documents()).map(({ id, partitionKey }) => [id, partitionKey]))).toEqual([
      ['1', 'x'],
      ['2', 'y']
    ])
  })

  it('is resumed by the same command after it was killed', async () => {
    const { to, documents } = await start({ ruPerSecond: 8000, throttle: true })
    const count = 2000
    const records = Array.from({ length: count }, (_, n) => `{"id":"${n}","device":"d${n % 50}"}`)
    writeFileSync(path('bad.ndjson'), records.map((record, n) => line(n + 1, record)).join(''))
    const args = ['replay', '--to', to, '--from', 'device', '--strategy', 'append', '--journal', path('journal')]
    const all = [...args, '--yes', '--quiet', path('bad.ndjson')]

    expect(await killed(spawn(process.execPath, [COMMAND, ...all], { stdio: 'ignore' }))).toBeNull()
    const before = marks()
    const { code, stdout } = await runCommand([...all, '--json'])

    expect(code).toBe(0)
    expect(before).toBeLessThan(count)
    expect(JSON.parse(stdout)).toMatchObject({ read: count, replayedBefore: before, result: { open: 0 } })
    expect(await documents()).toHaveLength(count)
  }, 60_000)

  test('does not replay lines without the bytes of their record, and says which line is first', async () => {
    const { to, documents } = await start()
    const lines = [
      line(1, '', 'JSON_TOO_LARGE'),
      // the byte that was no UTF-8 is lost
      line(2, '{"id":"\uFFFD","device":"d"}', 'JSON_INVALID'),
      line(3, '{"id":"\uFFFD","device":"d"}'),
      '{"input":"a.ndjson","line":4,"code":"FIELD_MISSING"}\n',
      '{"input":"a',
      '\n',
      '{"code":"FIELD_MISSING","record":"{}"}\n',
      '{"line":5,"code":"FIELD_MISSING","record":"{}"}\n'
    ]
    writeFileSync(path('bad.ndjson'), lines.join(''))
    const args = ['replay', '--to', to, ...FIXED, '--strategy', 'append', '--journal', path('journal'), '--yes']

    const { code, stdout } = await runCommand([...args, path('bad.ndjson')])

    expect({ code, stdout: stdout.split('\n').slice(0, 7) }).toEqual({
      code: 4,
      stdout: [
        '7 rejected records read, 1 to replay.',
        '  1 x FIELD_MISSING',
        'Each is stored only if its document does not exist.',
        '6 cannot be replayed:',
        '  2 x PAYLOAD_MISSING: The dead letter has no payload.',
        '  4 x DEAD_LETTER_INVALID: The dead letter does not tell which record it was.',
        `  the first invalid one: line 4 of ${path('bad.ndjson')}: the field record`
      ]
    })
    expect(await documents()).toMatchObject([{ id: '\uFFFD' }])
  })

  test('is interrupted by Ctrl-C while it asks, and the end of the input means no', async () => {
    const { to, documents } = await start()
    writeFileSync(path('bad.ndjson'), line(1, '{"id":"1","device":"d"}'))
    const args = ['replay', '--to', to, '--from', 'device', '--strategy', 'append', '--journal', path('journal')]
    const all = [...args, path('bad.ndjson')]
    const ending = new AbortController()
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      ending.abort()
      return true
    })
    onTestFinished(() => kill.mockRestore())

    const options = { isTTY: true, isInputTTY: true, signal: ending.signal }
    expect(await runCommand(all, { ...options, input: '\u0003' })).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('keystamp: interrupted.') as string
    })
    expect(kill).toHaveBeenCalledWith(process.pid, 'SIGINT')
    expect(await runCommand(all, { isInputTTY: true, input: '' })).toMatchObject({ code: 4 })
    expect(await documents()).toEqual([])
  })

  test('says that a record without a key needs a plan', async () => {
    const { to } = await start()
    writeFileSync(path('bad.ndjson'), line(1, '{"id":"1"}'))
    const args = ['replay', '--to', to, '--strategy', 'append', '--journal', path('journal'), '--yes']
    expect(await runCommand([...args, path('bad.ndjson')])).toMatchObject({
      code: 4,
      stdout: expect.stringContaining(
        'missing: /partitionKey. Without a plan, the record itself must contain'
      ) as string
    })
  })

  test('marks nothing if the account does not answer', async () => {
    writeFileSync(path('bad.ndjson'), line(1, '{"id":"1","device":"d"}'))
    const args = ['replay', '--to', 'http://127.0.0.1:1/d/c', '--from', 'device', '--strategy', 'append', '--yes']
    expect(await runCommand([...args, '--journal', path('journal'), path('bad.ndjson')])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No answer from Cosmos DB') as string
    })
    expect(marks()).toBe(0)
  })

  test.each([
    [['--config', 'sink.yaml', '--to', 'd/c'], 'Give either --config'],
    [['--to', 'http://127.0.0.1:1/d/c', 'x'], 'Give --newer-by and a field'],
    [['--to', 'http://127.0.0.1:1/d/c', '--strategy', 'append', '--newer-by', 'a', 'x'], 'Give --newer-by and a field'],
    [['--to', 'http://127.0.0.1:1/d/c', '--strategy', 'overwrite', 'x'], '--strategy must be append for a replay'],
    [['--to', 'http://127.0.0.1:1/d/c', '--strategy', 'append'], 'Name the files of rejected records.'],
    [['--to', 'http://127.0.0.1:1/d/c', '--topic', 't', 'x'], '--topic needs --config'],
    [['--to', 'http://127.0.0.1:1/d/c', '--strategy', 'append', '-'], 'so standard input cannot be replayed'],
    [
      ['--to', 'http://127.0.0.1:1/d/c', '--strategy', 'append', '--from', 'a', '--suffix', '4', '--by', 'random', 'x'],
      'cannot be replayed with a random suffix'
    ],
    [['--config', 'sink.yaml', '--newer-by', 'a'], '--newer-by is for rejected records of files, with --to.']
  ])('refuses %j', async (args, sentence) => {
    const paths = args.map((arg) => (arg === 'x' ? path('x') : arg))
    writeFileSync(path('x'), '')
    const { code, stderr } = await runCommand(['replay', '--yes', ...paths])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(sentence) as string })
  })

  test('refuses dead letters of a sink, and the journal of another container', async () => {
    const args = ['replay', '--dry-run', '--to', 'http://127.0.0.1:1/d/c', '--strategy', 'append', path('x')]
    writeFileSync(path('x'), '{"code":"FIELD_MISSING","topic":"t","partition":0,"offset":1,"key":null}\n')
    expect(await runCommand(args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`keystamp replay --config sink.yaml ${path('x')}`) as string
    })
    mkdirSync(path('journal'))
    writeFileSync(path('journal/replayed.txt'), 'keystamp replay 1 {"sink":"fleet","target":"x"}\n')
    expect(await runCommand([...args, '--journal', path('journal')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('This replay is of files into http://127.0.0.1:1/d/c: name another') as string
    })
  })

  /** Number of marks in the journal. */
  function marks(): number {
    const file = path('journal/replayed.txt')
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 2 : 0
  }

  /** Kills the process after its first marks. */
  async function killed(child: ChildProcess): Promise<number | null> {
    const watch = setInterval(() => void (marks() > 0 && child.kill('SIGKILL')), 5)
    const [code] = (await once(child, 'exit')) as [number | null]
    clearInterval(watch)
    return code
  }
})

function line(number: number, record: string, code = 'FIELD_MISSING'): string {
  return `${JSON.stringify({ input: 'a.ndjson', line: number, code, message: 'm', record })}\n`
}

function sorted(rows: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] {
  return rows.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1))
}
