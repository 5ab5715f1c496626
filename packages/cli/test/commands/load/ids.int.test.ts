import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { linesOf } from '../../../../files/test/inputs/lines-of.ts'
import { useTargets } from '../../load/start-target.ts'
import { runCommand } from '../../run-command.ts'
import { useTemporaryFolder } from '../../temporary-folder.ts'

describe('keystamp load --id', () => {
  const start = useTargets()
  const path = useTemporaryFolder()

  it('is suggested with all its choices when records have no id', async () => {
    const { to } = await start()

    const { code, stderr } = await runCommand(['load', '--from', 'deviceId', '--to', to], {
      input: '{"deviceId":"x"}\n'
    })

    expect(code).toBe(3)
    expect(stderr).toContain('Standard input, line 1: The record has no id')
    expect(stderr).toContain('--id field:/name')
  })

  it.each([
    ['field:/serial/no', ['s-1', 's-2']],
    ['hash', [expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]],
    ['position', ['stdin-1', 'stdin-2']]
  ])('makes ids by %s, and the same ids in a second load', async (choice, ids) => {
    const { to, documents } = await start()
    const input = '{"deviceId":"x","serial":{"no":"s-1"}}\n{"serial":{"no":"s-2"},"deviceId":"x"}\n'

    for (let run = 0; run < 2; run++) {
      expect(
        await runCommand(['load', '--from', 'deviceId', '--to', to, '--id', choice, '-q'], { input })
      ).toMatchObject({ code: 0 })
    }

    const found = await documents()
    expect(found.map(({ id }) => String(id)).toSorted()).toEqual(ids)
    expect(found.every(({ partitionKey }) => partitionKey === 'x')).toBe(true)
  })

  it('keeps the id of a record that has an id', async () => {
    const { to, documents } = await start()
    const input = '{"id":"own","deviceId":"x"}\n{"deviceId":"x"}\n'

    await runCommand(['load', '--from', 'deviceId', '--to', to, '--id', 'position', '-q'], { input })

    expect((await documents()).map(({ id }) => String(id)).toSorted()).toEqual(['own', 'stdin-2'])
  })

  it.each([
    ['a plan', ['--from', 'deviceId']],
    ['the key in the records', []]
  ])('field:/id converts numeric ids, with %s', async (_, plan) => {
    const { to, documents } = await start()
    const input =
      '{"id":7,"deviceId":"x","partitionKey":"x"}\n{ "deviceId" : "x", "partitionKey":"x", "id" : -1.50 }\n{"id":"own","deviceId":"x","partitionKey":"x"}\n'

    for (const id of ['field:/id', 'field:id']) {
      expect(await runCommand(['load', ...plan, '--to', to, '--id', id, '-q'], { input })).toEqual({
        code: 0,
        stdout: '',
        stderr: ''
      })
    }

    expect((await documents()).map(({ id }) => String(id)).toSorted()).toEqual(['-1.5', '7', 'own'])
  })

  it('is suggested as field:/id for numeric ids, and a record with the id null is rejected', async () => {
    const { to } = await start()
    const load = (input: string, ...args: readonly string[]) =>
      runCommand(['load', '--from', 'deviceId', '--to', to, ...args], { input })

    expect(await load('{"id":7,"deviceId":"x"}\n')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('--id field:/id')
    })
    expect(await load('{"id":null,"deviceId":"x"}\n', '--id', 'field:/id')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('A field of the id is null: /id.')
    })
  })

  it('accepts the name of a field with or without a slash, and a record without the field is rejected', async () => {
    const { to, documents } = await start()
    const load = (id: string) =>
      runCommand(['load', '--from', 'a', '--to', to, '-q', '--id', id], { input: '{"a":"x","trip":{"no":"1"}}\n' })

    expect(await load('field:trip.no')).toMatchObject({ code: 0 })
    expect(await load('field:/trip/no')).toMatchObject({ code: 0 })
    expect(await documents()).toHaveLength(1)
    expect(await load('field:/tripp')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('A field of the id is missing: /tripp.')
    })
    expect(await load('trip.no')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('not "trip.no". Did you mean field:trip.no?')
    })
  })

  it('makes ids that can be the last level of a hierarchical key', async () => {
    const { to, documents } = await start({}, ['/tenant', '/day', '/id'])
    const plan = {
      levels: [
        { into: '/tenant', from: [{ field: '/tenant' }] },
        { into: '/day', from: [{ bucket: 'day', of: '/at' }], suffix: { by: '/n', count: 4 } },
        { into: '/id', from: [{ id: true }] }
      ],
      id: { from: [{ field: '/id' }] }
    }
    const input = '{"id":7,"tenant":"t","at":"2018-08-09","n":1}\n{"id":"x","tenant":"t","at":"2018-08-10","n":1}\n'
    writeFileSync(path('plan.json'), JSON.stringify(plan))
    const planned = ['--plan', path('plan.json')]

    for (let run = 0; run < 2; run++) {
      expect(await runCommand(['load', ...planned, '--to', to, '-q'], { input })).toMatchObject({ code: 0, stderr: '' })
    }

    expect((await documents()).map(({ id, day }) => [id, day])).toEqual(
      expect.arrayContaining([
        ['7', expect.stringMatching(/^2018-08-09\.[1-4]$/)],
        ['x', expect.stringMatching(/^2018-08-10\.[1-4]$/)]
      ])
    )
    const located = await runCommand(['locate', ...planned, '{"id":7,"tenant":"t","at":"2018-08-09","n":1}'])
    expect(located.stdout).toMatch(/2018-08-09\.[1-4]/)
  })

  it('is refused with random suffixes, except with --allow-duplicates', async () => {
    const { to, documents } = await start()
    const plan = ['--from', 'deviceId', '--suffix', '10', '--by', 'random', '--to', to]

    expect(await runCommand(['load', ...plan])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('random suffixes')
    })
    expect(await runCommand(['load', ...plan, '--allow-duplicates', '-q'], { input: linesOf(5) })).toMatchObject({
      code: 0
    })
    expect(await documents()).toHaveLength(5)
  })
})
