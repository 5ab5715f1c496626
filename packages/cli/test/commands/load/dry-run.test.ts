import { existsSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { linesOf } from '../../load/lines-of.ts'
import { useTargets } from '../../load/start-target.ts'
import { runCommand } from '../../run-command.ts'
import { useTemporaryFolder } from '../../temporary-folder.ts'

describe('keystamp load --dry-run', () => {
  const start = useTargets()
  const path = useTemporaryFolder()

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

  it('looks at a sample that is larger than what may be held of an input', async () => {
    const { to } = await start()
    writeFileSync(path('in.ndjson'), `{"id":"r","deviceId":"d","text":"${'x'.repeat(9000)}"}\n`.repeat(4500))

    const { stdout } = await runCommand(['load', '--from', 'deviceId', '--to', to, '--dry-run', path('in.ndjson')])

    expect(stdout).toContain('Of a sample, 4,500 records would be')
  })

  it('takes a byte order mark for none of the record', async () => {
    const { to } = await start()
    writeFileSync(path('in.ndjson'), `\uFEFF${linesOf(1)}`)

    const { stdout } = await runCommand(['load', '--from', 'deviceId', '--to', to, '--dry-run', path('in.ndjson')])

    expect(stdout).toContain('Nothing was written. Of a sample, 1 record would be, of')
    expect(stdout).toContain('under 1 key.')
    expect(stdout).toContain('For all of about 1 record: 6 RU')
    expect(stdout).not.toContain('rejected')
  })

  it('counts a record that is too long as the load does', async () => {
    const { to } = await start()
    writeFileSync(path('in.ndjson'), `${linesOf(1)}{"id":"${'x'.repeat(9 << 20)}"}\n`)

    const { stdout } = await runCommand(['load', '--from', 'deviceId', '--to', to, '--dry-run', path('in.ndjson')])

    expect(stdout).toContain('1 would be rejected: JSON_TOO_LARGE')
  })

  it('says of no cost where nothing would be written', async () => {
    const { to } = await start()
    writeFileSync(path('in.ndjson'), '{"id":"bad"}\n')

    const { code, stdout } = await runCommand(['load', '--from', 'deviceId', '--to', to, '--dry-run', path('in.ndjson')])

    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'Nothing was written. Of a sample, no record would be.\n  1 would be rejected: FIELD_MISSING\n'
    })
  })

  it('says in a dry run that one key uses one range', async () => {
    const { to } = await start()

    const { stdout } = await runCommand(['load', '--from', 'deviceId', '--to', to, '--dry-run'], {
      input: '{"id":"1","deviceId":"x"}\n'.repeat(50)
    })

    expect(stdout).toContain('under 1 key.')
    expect(stdout).toContain('can use 25 % of what was bought')
  })
})
