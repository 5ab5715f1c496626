import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { type EmulatorOptions } from '@keystamp/emulator'
import { afterEach, describe, expect, it } from 'vitest'
import { startTarget, type StartedTarget } from '../load/start-target.ts'
import { runCommand } from '../run-command.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

const started: StartedTarget[] = []

afterEach(async () => {
  await Promise.all(started.splice(0).map(({ emulator }) => emulator.stop()))
})

describe('keystamp load', () => {
  const path = useTemporaryFolder()

  it('writes every line of a file under its key', async () => {
    const { to, documents } = await start()
    writeFileSync(path('in.ndjson'), linesOf(500))

    const { code, stderr } = await runCommand(['load', '--from', 'deviceId,n', '--to', to, path('in.ndjson')])

    expect(code).toBe(0)
    expect(stderr).toMatch(/^500 records written, 0 rejected; [\d,]+ RU, 0\.0 % throttled, in /)
    const found = await documents()
    expect(found).toHaveLength(500)
    expect(found.every(({ partitionKey, deviceId, n }) => partitionKey === `${String(deviceId)}-${String(n)}`)).toBe(true)
  })

  it('reads standard input, globs, compressed files, blank lines, a byte order mark and a last line without an end', async () => {
    const { to, documents } = await start()
    writeFileSync(path('a.ndjson'), '\u{FEFF}{"id":"a","deviceId":"x"}\r\n\n   \n{"id":"b","deviceId":"x"}')
    writeFileSync(path('b.ndjson.gz'), gzipSync('{"id":"c","deviceId":"x"}\n{"id":"d","deviceId":"x"}\n'))

    await runCommand(['load', '--from', 'deviceId', '--to', to, path('*.ndjson*'), '-q'])
    await runCommand(['load', '--from', 'deviceId', '--to', to, '-q'], { input: '{"id":"e","deviceId":"x"}\n' })

    expect((await documents()).map(({ id }) => String(id)).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('takes the key from the records where no plan is given', async () => {
    const { to, documents } = await start({}, ['/deviceId'])

    const { code } = await runCommand(['load', '--to', to, '--id', 'hash', '-q'], { input: linesOf(20) + linesOf(20) })

    expect(code).toBe(0)
    expect(await documents()).toHaveLength(20)
  })

  it('says what to choose when records have no id', async () => {
    const { to } = await start()

    const { code, stderr } = await runCommand(['load', '--from', 'deviceId', '--to', to], { input: '{"deviceId":"x"}\n' })

    expect(code).toBe(3)
    expect(stderr).toContain('Standard input, line 1: The record has no id')
    expect(stderr).toContain('--id field:/name')
  })

  it.each([
    ['field:/serial/no', ['s-1', 's-2']],
    ['hash', [expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]],
    ['position', ['stdin-1', 'stdin-2']]
  ])('makes ids by %s, always the same', async (choice, ids) => {
    const { to, documents } = await start()
    const input = '{"deviceId":"x","serial":{"no":"s-1"}}\n{"serial":{"no":"s-2"},"deviceId":"x"}\n'

    for (let run = 0; run < 2; run++) {
      // oxlint-disable-next-line no-await-in-loop -- the second run must find the documents of the first
      expect(await runCommand(['load', '--from', 'deviceId', '--to', to, '--id', choice, '-q'], { input })).toMatchObject({ code: 0 })
    }

    const found = await documents()
    expect(found.map(({ id }) => String(id)).toSorted()).toEqual(ids)
    expect(found.every(({ partitionKey }) => partitionKey === 'x')).toBe(true)
  })

  it('keeps an id that a record has', async () => {
    const { to, documents } = await start()
    const input = '{"id":"own","deviceId":"x"}\n{"deviceId":"x"}\n'

    await runCommand(['load', '--from', 'deviceId', '--to', to, '--id', 'position', '-q'], { input })

    expect((await documents()).map(({ id }) => String(id)).toSorted()).toEqual(['own', 'stdin-2'])
  })

  it('collects rejected records with place and reason in a file that others cannot read', async () => {
    const { to, documents } = await start()
    const input = `{"id":"a","deviceId":"x"}\nnonsense\n{"id":"b"}\n{"id":7,"deviceId":"x"}\n{"id":"c","deviceId":"x","t":"${'y'.repeat(2 ** 21)}"}\n`

    const { code, stderr } = await runCommand(['load', '--from', 'deviceId', '--to', to, '--on-error', `collect:${path('bad.ndjson')}`], {
      input
    })

    expect(code).toBe(0)
    expect(stderr).toMatch(/1 records written, 4 rejected/)
    expect(statSync(path('bad.ndjson')).mode & 0o777).toBe(0o600)
    const bad = parseLines(path('bad.ndjson')).toSorted((a, b) => Number(a['line']) - Number(b['line']))
    expect(bad.map(({ line, code: reason, input: name }) => [name, line, reason])).toEqual([
      ['-', 2, 'JSON_INVALID'],
      ['-', 3, 'FIELD_MISSING'],
      ['-', 4, 'ID_NOT_TEXT'],
      ['-', 5, 'DOCUMENT_TOO_LARGE']
    ])
    expect(bad[0]).toMatchObject({ record: 'nonsense', message: expect.stringContaining('JSON') })
    expect(await documents()).toHaveLength(1)
  })

  it('does not write over a file of rejected records', async () => {
    const { to } = await start()
    writeFileSync(path('bad.ndjson'), 'mine')

    const { code, stderr } = await runCommand(['load', '--from', 'deviceId', '--to', to, '--on-error', `collect:${path('bad.ndjson')}`])

    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('exists already') })
    expect(readFileSync(path('bad.ndjson'), 'utf8')).toBe('mine')
  })

  it('stops at a rejected record, remembers what is done, and goes on once it is mended', async () => {
    const { to, documents, emulator } = await start()
    writeFileSync(path('in.ndjson'), `${linesOf(300)}{"id":"bad"}\n${linesOf(300, 300)}`)
    const command = ['load', '--from', 'deviceId', '--to', to, path('in.ndjson')]

    const first = await runCommand(command)

    expect(first).toMatchObject({ code: 3, stderr: expect.stringContaining('line 301') })
    expect(first.stderr).toContain('goes on from there')
    expect(JSON.parse(readFileSync(path('in.ndjson.checkpoint'), 'utf8'))).toMatchObject({ place: { input: 0, line: 300 } })
    expect(statSync(path('in.ndjson.checkpoint')).mode & 0o777).toBe(0o600)

    emulator.clearOperations()
    const second = await runCommand([...command, '--on-error', 'skip'])

    expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining('going on behind line 300') })
    expect(await documents()).toHaveLength(600)
    expect(emulator.operations()).toHaveLength(300)
    expect(existsSync(path('in.ndjson.checkpoint'))).toBe(false)
  })

  it.each([
    ['another plan', ['--from', 'n'], /another plan/],
    ['another choice of ids', ['--from', 'deviceId', '--id', 'hash'], /--id/],
    ['another strategy', ['--from', 'deviceId', '--strategy', 'append'], /strategy/]
  ])('refuses a checkpoint that was written for %s', async (_, change, message) => {
    const { to } = await start()
    writeFileSync(path('in.ndjson'), `${linesOf(10)}{"id":"bad"}\n`)
    await runCommand(['load', '--from', 'deviceId', '--to', to, path('in.ndjson')])

    const { code, stderr } = await runCommand(['load', ...change, '--to', to, path('in.ndjson')])

    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(message) })
  })

  it('refuses a checkpoint of an input that has changed, or that is damaged', async () => {
    const { to } = await start()
    writeFileSync(path('in.ndjson'), `${linesOf(10)}{"id":"bad"}\n`)
    const command = ['load', '--from', 'deviceId', '--to', to, path('in.ndjson')]
    await runCommand(command)

    writeFileSync(path('in.ndjson'), linesOf(10))
    expect(await runCommand(command)).toMatchObject({ code: 2, stderr: expect.stringContaining('have changed') })
    writeFileSync(path('in.ndjson.checkpoint'), '{"version":1,')
    expect(await runCommand(command)).toMatchObject({ code: 2, stderr: expect.stringContaining('damaged') })
  })

  it('ends when it is interrupted, with what is done remembered', async () => {
    const { to, documents } = await start({ latencyMs: 30 })
    writeFileSync(path('in.ndjson'), linesOf(3000))
    const abort = new AbortController()
    const command = ['load', '--from', 'deviceId', '--to', to, path('in.ndjson')]
    setTimeout(() => abort.abort(), 200)

    const first = await runCommand(command, { signal: abort.signal })
    const before = (await documents()).length
    const second = await runCommand(command)

    expect(first).toMatchObject({ code: 130, stderr: expect.stringContaining('goes on from there') })
    expect(before).toBeLessThanOrEqual(3000)
    expect(second.code).toBe(0)
    expect(await documents()).toHaveLength(3000)
  })

  it('leaves what is there with append, and says so', async () => {
    const { to } = await start()
    await runCommand(['load', '--from', 'deviceId', '--to', to, '-q'], { input: linesOf(10) })

    const { stderr } = await runCommand(['load', '--from', 'deviceId', '--to', to, '--strategy', 'append'], { input: linesOf(15) })

    expect(stderr).toMatch(/^5 records written, 10 left as they are, 0 rejected/)
  })

  it('stops when too many records are rejected', async () => {
    const { to } = await start()

    const { code, stderr } = await runCommand(['load', '--from', 'x', '--to', to, '--on-error', 'skip', '--max-rejected', '2'], {
      input: linesOf(10)
    })

    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining('More than 2 records') })
  })

  it('refuses random suffixes, unless duplicates are welcome', async () => {
    const { to, documents } = await start()
    const plan = ['--from', 'deviceId', '--suffix', '10', '--by', 'random', '--to', to]

    expect(await runCommand(['load', ...plan])).toMatchObject({ code: 2, stderr: expect.stringContaining('at random') })
    expect(await runCommand(['load', ...plan, '--allow-duplicates', '-q'], { input: linesOf(5) })).toMatchObject({ code: 0 })
    expect(await documents()).toHaveLength(5)
  })

  it('says what it would write where, and writes nothing', async () => {
    const { to, documents } = await start()
    writeFileSync(path('in.ndjson'), `${linesOf(400)}{"id":"bad"}\n`)

    const { code, stdout } = await runCommand(['load', '--from', 'deviceId,n', '--to', to, '--dry-run', path('in.ndjson')])

    expect(code).toBe(0)
    expect(stdout).toContain('Nothing was written. Of a sample, 400 records would be, of')
    expect(stdout).toContain('under 400 keys')
    expect(stdout).toContain('1 would be rejected: FIELD_MISSING')
    expect(stdout).toMatch(/Of 4 ranges the busiest get \d: 2\d %/)
    expect(stdout).toMatch(/at 100,000 RU\/s at least 0:01/)
    expect(await documents()).toEqual([])
    expect(existsSync(path('in.ndjson.checkpoint'))).toBe(false)
  })

  it('takes the id as the key where the container does, also in a dry run', async () => {
    const { to, documents } = await start({}, ['/id'])
    writeFileSync(path('in.ndjson'), linesOf(200))

    const { stdout } = await runCommand(['load', '--to', to, '--dry-run', path('in.ndjson')])
    const { code } = await runCommand(['load', '--to', to, '-q', path('in.ndjson')])

    expect(stdout).toContain('under 200 keys')
    expect(code).toBe(0)
    expect(await documents()).toHaveLength(200)
  })

  it('says in a dry run that one key uses one range', async () => {
    const { to } = await start()

    const { stdout } = await runCommand(['load', '--from', 'deviceId', '--to', to, '--dry-run'], {
      input: '{"id":"1","deviceId":"x"}\n'.repeat(50)
    })

    expect(stdout).toContain('under 1 keys')
    expect(stdout).toContain('can use 25 % of what was bought')
  })

  it('shows records, request units, the share of the budget and the time left', async () => {
    const { to } = await start({ latencyMs: 20 })
    writeFileSync(path('in.ndjson'), linesOf(8000))

    const { stderr } = await runCommand(['load', '--from', 'deviceId', '--to', to, '--progress', 'bar', path('in.ndjson')])

    expect(stderr).toMatch(/records {2}[\d,]+ records\/s {2}[\d,]+ RU\/s \(\d+ % of the budget\)/)
  })

  it.each([
    ['no place', [], /--to https/],
    ['a place without a container', ['--to', 'http://127.0.0.1:1/d'], /a database and a container/],
    ['a strategy that is none', ['--to', 'http://127.0.0.1:1/d/c', '--strategy', 'upsert'], /--strategy takes/],
    ['a source of ids that is none', ['--to', 'http://127.0.0.1:1/d/c', '--id', 'random'], /--id takes/],
    ['a share that is none', ['--to', 'http://127.0.0.1:1/d/c', '--share', 'half'], /--share takes/],
    ['a policy that is none', ['--to', 'http://127.0.0.1:1/d/c', '--on-error', 'ignore'], /--on-error takes/]
  ])('refuses %s', async (_, args, message) => {
    expect(await runCommand(['load', '--from', 'deviceId', ...args])).toMatchObject({ code: 2, stderr: expect.stringMatching(message) })
  })

  it('asks for a key or Entra where the account is not on this machine', async () => {
    const args = ['load', '--from', 'deviceId', '--to', 'https://account.invalid/d/c']

    expect(await runCommand(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('COSMOS_KEY') })
    expect(await runCommand(args, { env: { COSMOS_KEY: 'no key' } })).toMatchObject({ code: 2, stderr: expect.stringContaining('base64') })
  })

  it('says that nobody answers, without a stack', async () => {
    const { code, stderr } = await runCommand(['load', '--from', 'deviceId', '--to', 'http://127.0.0.1:1/d/c'], { input: linesOf(1) })

    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^keystamp: No answer from Cosmos DB.*127\.0\.0\.1:1.*\n$/)
    })
  })
})

async function start(options: EmulatorOptions = {}, paths?: readonly string[]): Promise<StartedTarget> {
  const target = await startTarget(options, paths)
  started.push(target)
  return target
}

function linesOf(count: number, from = 0): string {
  return Array.from({ length: count }, (_, index) => {
    const n = from + index
    return `${JSON.stringify({ id: `r${n}`, deviceId: `d${n % 7}`, n })}\n`
  }).join('')
}

function parseLines(file: string): Record<string, unknown>[] {
  const text = readFileSync(file, 'utf8').trim()
  return text.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
}
