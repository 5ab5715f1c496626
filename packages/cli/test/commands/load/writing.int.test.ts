import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { linesOf } from '../../../../files/test/inputs/lines-of.ts'
import { useTargets } from '../../load/start-target.ts'
import { runCommand } from '../../run-command.ts'
import { useTemporaryFolder } from '../../temporary-folder.ts'

describe('keystamp load', () => {
  const start = useTargets()
  const path = useTemporaryFolder()

  it('writes every line of a file under its partition key', async () => {
    const { to, documents } = await start()
    writeFileSync(path('in.ndjson'), linesOf(500))

    const { code, stderr } = await runCommand(['load', '--from', 'deviceId,n', '--to', to, path('in.ndjson')])

    expect(code).toBe(0)
    expect(stderr).toMatch(/^500 records written, 0 rejected; [\d,]+ RU, 0\.0 % throttled, in /)
    const found = await documents()
    expect(found).toHaveLength(500)
    expect(found.every(({ partitionKey, deviceId, n }) => partitionKey === `${String(deviceId)}-${String(n)}`)).toBe(
      true
    )
  })

  it('reads the account from a connection string in the environment, and warns about a connection string on the command line', async () => {
    const { emulator, documents } = await start()
    const connection = `AccountEndpoint=${emulator.endpoint};AccountKey=${emulator.key};`
    writeFileSync(path('in.ndjson'), linesOf(5))
    const load = ['load', '--from', 'deviceId,n', '--no-checkpoint', path('in.ndjson'), '--to']

    const hidden = await runCommand([...load, 'd/c'], { env: { COSMOS_CONNECTION_STRING: connection } })
    const shown = await runCommand([...load, `${connection}/d/c`])

    expect(hidden).toMatchObject({ code: 0, stderr: expect.stringMatching(/^5 records written/) })
    expect(shown).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^keystamp: warning: other users of this machine can see the account key/)
    })
    expect(shown.stderr).not.toContain(emulator.key)
    expect(await documents()).toHaveLength(5)
  })

  it('stores each line unchanged while answers are lost and operations are throttled', async () => {
    const { to, emulator, documents } = await start({ latencyMs: 2 })
    emulator.faults.inject({ on: 'bulk', probability: 0.1, count: 20, action: { kind: 'applyThenDrop' } })
    emulator.faults.inject({ on: 'bulk', probability: 0.1, count: 20, action: { kind: 'status', status: 503 } })
    emulator.faults.inject({
      on: 'bulkOperation',
      probability: 0.02,
      count: 200,
      action: { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: 5 }
    })
    const records = Array.from({ length: 6000 }, (_, n) => ({
      id: `r${n}`,
      deviceId: `d${n % 70}`,
      text: `${n} `.repeat(80)
    }))
    writeFileSync(path('in.ndjson'), records.map((record) => `${JSON.stringify(record)}\n`).join(''))

    const { code } = await runCommand([
      'load',
      '--from',
      'deviceId',
      '--to',
      to,
      '--share',
      '1000000',
      '-q',
      path('in.ndjson')
    ])

    expect(code).toBe(0)
    const found = new Map((await documents()).map(({ id, deviceId, text }) => [id, { id, deviceId, text }]))
    expect(records.filter((record) => JSON.stringify(found.get(record.id)) !== JSON.stringify(record))).toEqual([])
    expect(found.size).toBe(records.length)
  })

  it('reads standard input, globs, compressed files, blank lines, a byte order mark and a last line without an end', async () => {
    const { to, documents } = await start()
    writeFileSync(path('a.ndjson'), '\u{FEFF}{"id":"a","deviceId":"x"}\r\n\n   \n{"id":"b","deviceId":"x"}')
    writeFileSync(path('b.ndjson.gz'), gzipSync('{"id":"c","deviceId":"x"}\n{"id":"d","deviceId":"x"}\n'))

    await runCommand(['load', '--from', 'deviceId', '--to', to, path('*.ndjson*'), '-q'])
    await runCommand(['load', '--from', 'deviceId', '--to', to, '-q'], { input: '{"id":"e","deviceId":"x"}\n' })

    expect((await documents()).map(({ id }) => String(id)).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('reads the key from the records if no plan is given', async () => {
    const { to, documents } = await start({}, ['/deviceId'])

    const { code } = await runCommand(['load', '--to', to, '--id', 'hash', '-q'], { input: linesOf(20) + linesOf(20) })

    expect(code).toBe(0)
    expect(await documents()).toHaveLength(20)
  })

  it('uses the id as the key for a container with the key path /id, even in a dry run', async () => {
    const { to, documents } = await start({}, ['/id'])
    writeFileSync(path('in.ndjson'), linesOf(200))

    const { stdout } = await runCommand(['load', '--to', to, '--dry-run', path('in.ndjson')])
    const { code } = await runCommand(['load', '--to', to, '-q', path('in.ndjson')])

    expect(stdout).toContain('under 200 keys')
    expect(code).toBe(0)
    expect(await documents()).toHaveLength(200)
  })

  it('keeps existing documents with append, and reports their number', async () => {
    const { to } = await start()
    await runCommand(['load', '--from', 'deviceId', '--to', to, '-q'], { input: linesOf(10) })

    const { stderr } = await runCommand(['load', '--from', 'deviceId', '--to', to, '--strategy', 'append'], {
      input: linesOf(15)
    })

    expect(stderr).toMatch(/^5 records written, 10 unchanged, 0 rejected/)
  })

  it('deletes only documents that have the ETag of the record under `deleteIfNotModified`, and rejects records without an ETag', async () => {
    const { to, documents } = await start()
    await runCommand(['load', '--from', 'deviceId', '--to', to], { input: linesOf(4) })
    const [first, second] = await documents()
    const changed = { ...second, _etag: '"another"' }
    const [withEtag, stale, csv] = [JSON.stringify(first), JSON.stringify(changed), path('in.csv')]
    const args = ['load', '--from', 'deviceId', '--to', to, '--strategy', 'deleteIfNotModified', '--on-error', 'skip']

    const lines = await runCommand(args, { input: `${withEtag}\n${stale}\n${linesOf(4)}` })
    writeFileSync(
      csv,
      linesOf(4)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: string; deviceId: string })
        .map(({ id, deviceId }) => `${id},${deviceId}`)
        .join('\n')
        .replace(/^/, 'id,deviceId\n')
    )
    const ofCsv = await runCommand([...args, csv])

    expect(lines.stderr).toMatch(/^1 record deleted, 1 unchanged, 4 rejected; .*\n {2}ETAG_MISSING: 4\n/)
    expect(ofCsv.stderr).toMatch(/^0 records deleted, 4 rejected; .*\n {2}ETAG_MISSING: 4\n/)
    expect(await documents()).toHaveLength(3)
  })

  it('warns once about a share of few RU/s', async () => {
    const { to } = await start()

    const { stderr } = await runCommand(['load', '--from', 'deviceId', '--to', to, '--share', '99'], {
      input: linesOf(1)
    })

    expect(stderr.match(/warning/g)).toHaveLength(1)
  })

  it('shows records, request units, the share of the budget and the time left', async () => {
    const { to } = await start({ latencyMs: 20 })
    writeFileSync(path('in.ndjson'), linesOf(8000))

    const { stderr } = await runCommand([
      'load',
      '--from',
      'deviceId',
      '--to',
      to,
      '--progress',
      'bar',
      path('in.ndjson')
    ])

    expect(stderr).toMatch(
      /\d+ % {2}[\d,]+ records {2}\d+:\d\d left {2}[\d,]+ records\/s {2}[\d,]+ RU\/s \(\d+ % of the budget\)/
    )
  })
})
