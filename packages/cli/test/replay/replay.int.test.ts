import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { runCommand } from '../run-command.ts'
import { FIRST_MS, letter, useReplayWorld } from './replay-world.ts'

describe('keystamp replay', () => {
  const { path, world } = useReplayWorld()

  test('names the sinks of the configuration if one has to be chosen', async () => {
    const { config } = await world()
    const text = readFileSync(config, 'utf8')
    const sinks = ['one', 'two'].map(
      (name) => `  - ${text.replace('name: fleet', `name: ${name}`).trim().replaceAll('\n', '\n    ')}\n`
    )
    writeFileSync(config, `sinks:\n${sinks.join('')}`)
    writeFileSync(path('dead.ndjson'), letter(1))
    const args = ['replay', '--config', config, '--dry-run', path('dead.ndjson')]

    expect(await runCommand(args)).toMatchObject({
      code: 2,
      stderr: `keystamp: ${config} has 2 sinks. Name one of them with --sink: one, two.\n`
    })
    expect(await runCommand([...args, '--sink', 'three'])).toMatchObject({
      code: 2,
      stderr: `keystamp: ${config} has no sink with the name "three", only: one, two.\n`
    })
    expect(await runCommand([...args, '--sink', 'two'])).toMatchObject({ code: 0, stderr: '' })
  })

  test('a dry run shows what matches, by code, and writes nothing', async () => {
    const { config, documents } = await world()
    const cut = letter(3).replace('"offset":3', '"offset":null')
    writeFileSync(path('dead.ndjson'), letter(1) + letter(2) + cut)

    const args = ['replay', '--config', config, '--journal', path('journal'), '--dry-run', path('dead.ndjson')]
    expect(await runCommand([...args, '--offset', '2'])).toEqual({
      code: 4,
      stderr: '',
      stdout:
        '3 dead letters read, 1 to replay (1 left out by the filters).\n' +
        '  1 x FIELD_MISSING\n' +
        'Each is stored only if its document does not exist.\n' +
        '1 cannot be replayed:\n' +
        '  1 x DEAD_LETTER_INVALID: The dead letter does not tell which record it was.\n' +
        `  the first invalid one: line 3 of ${path('dead.ndjson')}: the field offset\n` +
        'Nothing was written.\n'
    })
    expect(await documents()).toEqual([])
    expect(existsSync(path('journal'))).toBe(false)
  })

  test('writes the records of a partition in the order of their offsets, not of the file', async () => {
    const { config, documents } = await world({}, 'write: { strategy: append }')
    const letters = [5, 3, 4].map((n) => letter(n, FIRST_MS, { id: 'x', device: 'd', n }))
    writeFileSync(path('dead.ndjson'), letters.join(''))

    const args = ['replay', '--config', config, '--journal', path('journal'), '--yes', path('dead.ndjson')]
    const { code, stdout } = await runCommand(args)

    expect({ code, stdout: stdout.split('\n').at(-2) }).toEqual({
      code: 0,
      stdout: '1 stored, 2 not stored, because the stored document stays.'
    })
    expect(await documents()).toMatchObject([{ id: 'x', n: 3 }])
  })

  it('compares the offset in `write.metadata`, and replaces no document of another partition, topic or program', async () => {
    const { config, documents, post } = await world({}, 'write: { metadata: { into: _k } }')
    const at = FIRST_MS + 10
    const place = { topic: 'things', partition: 0, offset: 10, timestamp: at }
    const stored = [
      ['older', { ...place, offset: 9, timestamp: at - 1 }],
      ['newer', { ...place, offset: 11 }],
      ['same', place],
      ['partition', { ...place, partition: 1, offset: 5 }],
      ['topic', { ...place, topic: 'others', offset: 5 }],
      // its record was created later, so the topic was created again
      ['again', { ...place, offset: 5, timestamp: at + 1 }],
      ['bare', undefined]
    ] as const
    for (const [id, _k] of stored) await post({ id, partitionKey: 'd', n: 1, _k })
    const ids = [...stored.map(([id]) => id), 'missing']
    writeFileSync(path('dead.ndjson'), ids.map((id) => letter(10, at, { id, device: 'd', n: 2 })).join(''))

    const args = ['replay', '--config', config, '--journal', path('journal'), '--yes', '--json', path('dead.ndjson')]
    const { code, stdout } = await runCommand(args)

    expect(code).toBe(4)
    expect(JSON.parse(stdout)).toMatchObject({
      by: 'offset',
      result: { stored: 3, kept: 1, rejected: { ORDER_UNKNOWN: 4 }, open: 0 }
    })
    const found = new Map((await documents()).map(({ id, n, _k }) => [id, [n, _k]]))
    const expected = stored.map(([id, _k]) => [id, id === 'older' ? [2, place] : [1, _k]])
    expect(found).toEqual(new Map([...expected, ['missing', [2, place]]] as [string, unknown][]))
    expect((await documents()).some((document) => '_keystampPosition' in document)).toBe(false)
  })

  test('asks before it writes, and writes nothing without a yes', async () => {
    const { config, documents } = await world()
    writeFileSync(path('dead.ndjson'), letter(1))
    const args = ['replay', '--config', config, '--journal', path('journal'), path('dead.ndjson')]

    const no = await runCommand(args, { input: 'no\n', isInputTTY: true })
    expect(no).toMatchObject({ code: 4, stderr: expect.stringContaining('Replay 1 dead letter? (yes/no)') as string })
    expect(await documents()).toEqual([])

    const yes = await runCommand(args, { input: 'yes\n', isInputTTY: true })
    expect(yes).toMatchObject({ code: 0, stdout: expect.stringContaining('1 stored.\n') as string })
    expect(await documents()).toMatchObject([{ id: 'things-0-1', n: 1 }])
  })

  test('reads the file of the sink by default, and counts dead letters that a filter or the sink does not know', async () => {
    const { config } = await world({}, `id: { strategy: metadata }\nrejects: { file: '${path('dead.ndjson')}' }`)
    const keyed = letter(3).replace('"key":null', `"key":"${Buffer.from('k').toString('base64')}"`)
    const foreign = keyed.replace('"topic":"things"', '"topic":"others"')
    writeFileSync(path('dead.ndjson'), `${letter(2)}${keyed}\n${foreign}${letter(4)}`)

    const args = ['replay', '--config', config, '--journal', path('journal'), '--dry-run', '--json']
    const { code, stdout } = await runCommand([...args, '--key', 'k'])

    expect(code).toBe(4)
    expect(JSON.parse(stdout)).toMatchObject({
      read: 4,
      matched: { FIELD_MISSING: 1 },
      refused: { FILTER_UNKNOWN: 2, TOPIC_FOREIGN: 1 },
      result: null
    })
  })

  test('refuses records whose marker may have expired, and markers that are of another sink', async () => {
    const { config } = await world({}, 'write: { newerBy: { order: timestamp, markerTtl: 1h } }')
    writeFileSync(
      path('dead.ndjson'),
      letter(1, Date.now() - 3_599_000) + letter(2, Date.now() - 60_000) + letter(3, -1)
    )
    const args = ['replay', '--config', config, '--journal', path('journal'), '--dry-run', path('dead.ndjson')]

    const { stdout } = await runCommand([...args, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ matched: { FIELD_MISSING: 1 }, refused: { MARKER_EXPIRED: 2 } })

    writeFileSync(path('replayed.txt'), 'keystamp replay 1 {"sink":"others","target":"x"}\n')
    expect(await runCommand([...args, '--journal', path('')].toSpliced(3, 2))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is the journal of another replay: {"sink":"others"') as string
    })
  })

  test.each([
    [[], 'Name the configuration of the sink: --config sink.yaml.'],
    [['-c', 'x'], 'The replay asks before it writes, and standard input is no terminal: add --yes or --dry-run.'],
    [['-c', 'x', '--yes', '--since', 'noon'], '--since must be a time with its zone'],
    [['-c', 'x', '--yes', '--since', '2026-11-20T08:00'], '--since must be a time with its zone'],
    [['-c', 'x', '--yes', '--since', '1h', '--until', '2h'], '--until must be later than --since.'],
    [['-c', 'x', '--yes', '--offset', '5-'], '--offset must be an offset such as 1200, or a range'],
    [['-c', 'x', '--yes', '--offset', '5-4'], '--offset must begin with the smaller offset'],
    [['-c', 'x', '--yes', '--partition', 'a'], '--partition takes a whole number, not "a".']
  ])('refuses %j', async (args, sentence) => {
    const { code, stderr } = await runCommand(['replay', ...args])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(sentence) as string })
  })

  test('refuses, before it reads anything, a configuration with which something newer could be replaced', async () => {
    const { config } = await world({}, 'id: { strategy: fullKey }')
    const { code, stderr } = await runCommand(['replay', '--config', config, '--yes', path('missing.ndjson')])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'keystamp: With this configuration, a replayed record could replace something newer. Dead letters can be replayed with `write.newerBy`, with `write.metadata` that stores topic, partition and offset, with `write.strategy: append`, or with ids made of topic, partition and offset (`id.strategy: metadata`).\n'
    })
  })

  test('refuses rejected records of files, which have no offset, and names the option for them', async () => {
    const { config } = await world()
    writeFileSync(
      path('bad.ndjson'),
      '{"input":"a.ndjson","line":3,"code":"FIELD_MISSING","message":"m","record":"{}"}\n'
    )
    const { code, stderr } = await runCommand(['replay', '--config', config, '--dry-run', path('bad.ndjson')])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`keystamp replay ${path('bad.ndjson')} --to`) as string
    })
  })
})
