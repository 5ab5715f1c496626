import { existsSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { linesOf } from '../../../../files/test/inputs/lines-of.ts'
import { useTargets } from '../../load/start-target.ts'
import { runCommand } from '../../run-command.ts'
import { useTemporaryFolder } from '../../temporary-folder.ts'

describe('keystamp load --dry-run', () => {
  const start = useTargets()
  const path = useTemporaryFolder()

  it('reports the records for each physical partition, and writes nothing', async () => {
    const { to, documents } = await start()
    writeFileSync(path('in.ndjson'), `${linesOf(400)}{"id":"bad"}\n`)

    const { code, stdout } = await runCommand([
      'load',
      '--from',
      'deviceId,n',
      '--to',
      to,
      '--dry-run',
      path('in.ndjson')
    ])

    expect(code).toBe(0)
    expect(stdout).toContain('Dry run, nothing written. Of 401 records, 400 would be stored (')
    expect(stdout).toContain('under 400 keys')
    expect(stdout).toContain('1 would be rejected: FIELD_MISSING')
    expect(stdout).toMatch(/Of 4 physical partitions, the busiest get these shares of the records: \d: 2\d %/)
    expect(stdout).not.toContain('sample')
    expect(stdout).toMatch(/at 100,000 RU\/s at least 0:01/)
    expect(await documents()).toEqual([])
    expect(existsSync(path('in.ndjson.checkpoint'))).toBe(false)
  })

  it('reads a sample that is larger than the buffers of an input', async () => {
    const { to } = await start()
    writeFileSync(path('in.ndjson'), `{"id":"r","deviceId":"d","text":"${'x'.repeat(9000)}"}\n`.repeat(4500))

    const { stdout } = await runCommand(['load', '--from', 'deviceId', '--to', to, '--dry-run', path('in.ndjson')])

    expect(stdout).toContain('Of 4,500 records, 4,500 would be stored')
  })

  it('does not count a byte order mark as part of the record', async () => {
    const { to } = await start()
    writeFileSync(path('in.ndjson'), `\uFEFF${linesOf(1)}`)

    const { stdout } = await runCommand(['load', '--from', 'deviceId', '--to', to, '--dry-run', path('in.ndjson')])

    expect(stdout).toContain('Dry run, nothing written. Of 1 record, 1 would be stored (')
    expect(stdout).toContain('under 1 key.')
    expect(stdout).toContain('In all, 1 record: 6 RU')
    expect(stdout).not.toContain('rejected')
  })

  it('prints exact counts instead of estimates if the input was read to its end', async () => {
    const { to } = await start()
    writeFileSync(path('in.csv'), `id,deviceId,a rather long name of a column\n${'1,x,\n2,y,\n'.repeat(50)}`)
    const command = ['load', '--from', 'deviceId', '--to', to, '--dry-run']

    expect((await runCommand([...command, path('in.csv')])).stdout).toContain('In all, 100 records: ')
    expect((await runCommand(command, { input: linesOf(7) })).stdout).toContain('In all, 7 records: ')
  })

  it('accepts records without a plan for a container whose hierarchical key ends in /id', async () => {
    const { to } = await start({}, ['/tenant', '/id'])

    const ran = await runCommand(['load', '--to', to, '--dry-run'], {
      input: '{"id":"1","tenant":"a"}\n{"id":"2","tenant":"a"}\n'
    })

    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('Of 2 records, 2 would be stored (') })
    expect(ran.stdout).toContain('under 2 keys')
  })

  it('counts a record that is too long as rejected, as the load does', async () => {
    const { to } = await start()
    writeFileSync(path('in.ndjson'), `${linesOf(1)}{"id":"${'x'.repeat(9 << 20)}"}\n`)

    const { stdout } = await runCommand(['load', '--from', 'deviceId', '--to', to, '--dry-run', path('in.ndjson')])

    expect(stdout).toContain('1 would be rejected: JSON_TOO_LARGE')
  })

  it('counts records without an ETag as rejected under `deleteIfNotModified`', async () => {
    const { to } = await start()
    const args = ['load', '--from', 'deviceId', '--to', to, '--dry-run', '--strategy', 'deleteIfNotModified']
    const input = `${linesOf(3)}{"id":"a","deviceId":"d","_etag":"\\"e\\""}\n`

    const { stdout } = await runCommand(args, { input })

    expect(stdout).toContain('Of 4 records, 1 would be deleted (')
    expect(stdout).toContain('3 would be rejected: ETAG_MISSING')
  })

  it('prints no cost if nothing would be written', async () => {
    const { to } = await start()
    writeFileSync(path('in.ndjson'), '{"id":"bad"}\n')

    const { code, stdout } = await runCommand([
      'load',
      '--from',
      'deviceId',
      '--to',
      to,
      '--dry-run',
      path('in.ndjson')
    ])

    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'Dry run, nothing written. Of 1 record, 0 would be stored.\n  1 would be rejected: FIELD_MISSING\n'
    })
  })

  it('reports that a single key can use only one physical partition', async () => {
    const { to } = await start()

    const { stdout } = await runCommand(['load', '--from', 'deviceId', '--to', to, '--dry-run'], {
      input: '{"id":"1","deviceId":"x"}\n'.repeat(50)
    })

    expect(stdout).toContain('under 1 key.')
    expect(stdout).toContain('can use 25 % of the provisioned throughput')
  })

  it('reports that it has read only the first lines, and the share of throughput that even keys would reach in this sample', async () => {
    const { to } = await start({ ranges: 61, ruPerSecond: 610_000 })
    writeFileSync(path('in.ndjson'), linesOf(12_000))

    const { stdout } = await runCommand(['load', '--from', 'deviceId,n', '--to', to, '--dry-run', path('in.ndjson')])

    expect(stdout).toContain('In the first 10,000 lines, 10,000 records would be stored (')
    expect(stdout).toContain(
      'Only the first 10,000 lines were read. If the file is sorted, for example by time, they are not a random sample. ' +
        'Perfectly even keys would reach about 84 % in a sample with this number of keys.'
    )
  })

  it('prints shares without exponents, and the warnings of the plan', async () => {
    const { to } = await start({ ranges: 20 })
    const args = ['load', '--from', 'date', '--to', to, '--dry-run']
    const input = '{"id":"1","date":"2018-08-09"}\n'.repeat(50)

    const { stdout, stderr } = await runCommand(args, { input })

    expect(stdout).toMatch(/the busiest get these shares of the records: \d+: 100 %, \d+: 0 %, /)
    expect(stdout).toContain('can use 5 % of the provisioned throughput')
    expect(stderr).toMatch(/^keystamp: warning: A key that consists only of a time/)
    expect((await runCommand([...args, '-q'], { input })).stderr).toBe('')
  })
})
