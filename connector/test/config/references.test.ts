import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { MAX_FILE_BYTES, readRegularFile } from '../../src/config/references.ts'
import { MINIMAL, mistakesOf, sinkOf } from './read-text.ts'

describe('a reference in a configuration', () => {
  test.each([
    ['${env:NAME}', 'from-env'],
    ['${file:name}', 'from-file'],
    ['${file:/run/name}', 'from-there'],
    ['a-${env:NAME}-b-${file:name}', 'a-from-env-b-from-file'],
    ['${env:NOPE:-usual}', 'usual'],
    ['${env:EMPTY:-usual}', 'usual'],
    ['${file:nope:-usual}', 'usual'],
    ['${env:NAME:-usual}', 'from-env'],
    ['a${env:NOPE:-}b', 'ab'],
    ['$${env:NAME}', '${env:NAME}'],
    ['no-reference', 'no-reference']
  ])('%s becomes %s', async (text, expected) => {
    const world = {
      env: { NAME: 'from-env', EMPTY: '' },
      files: { '/etc/keystamp/name': 'from-file\n', '/run/name': 'from-there\r\n' }
    }

    expect((await sinkOf(`write: { metadata: { into: "${text}" } }\n`, world)).write.metadata?.into).toBe(expected)
  })

  test('becomes a number, a boolean or a list if the schema expects one', async () => {
    const sink = await sinkOf(
      'commit: { everyRecords: "${env:N}" }\nacceptPlanChange: ${env:YES}\nwrite: { dropProperties: "${env:LIST}" }\n',
      {
        env: { N: '5', YES: 'true', LIST: 'a,b' }
      }
    )

    expect(sink).toMatchObject({ commit: { everyRecords: 5 }, acceptPlanChange: true, write: { drop: ['a', 'b'] } })
  })

  test.each([
    ['${env:NOPE}', 'needs the environment variable NOPE, which is not set'],
    ['${file:nope}', 'needs the file nope: there is no such file'],
    ['${vault:a}', 'holds ${vault:...}: references are ${env:NAME} and ${file:path}'],
    ['${env:NOPE', 'holds a reference that is not closed: ${env:...}']
  ])('%s is refused: %s', async (text, sentence) => {
    expect(await mistakesOf(`${MINIMAL}plan: { into: "${text}", from: [{ field: /a }] }\n`)).toEqual([
      `9:9 plan.into ${sentence}`
    ])
  })

  test('to a file of a key plan or an Avro schema is replaced by its content, which may have comments', async () => {
    const files = {
      '/etc/keystamp/plans/drives.json': '{ "into": "/pk", // the key\n "from": [{ "field": "/a" }] }',
      '/schema.avsc': '{ "type": "record", "name": "R", "fields": [] }'
    }
    const sink = await sinkOf('plan: plans/drives.json\nvalue: { format: avro, schema: /schema.avsc }\n', { files })

    expect(sink.plan).toEqual({ into: '/pk', from: [{ field: '/a' }] })
    expect(sink.value).toEqual({ format: 'avro', schema: { type: 'record', name: 'R', fields: [] } })
  })

  test('to a file with an invalid plan reports its mistakes at the line of the reference', async () => {
    const files = { '/etc/keystamp/plan.json': '{ "into": "/pk", "form": [] }', '/etc/keystamp/broken.json': '{' }

    expect(await mistakesOf(`${MINIMAL}plan: plan.json\n`, { files })).toEqual([
      '9:1 plan.form is not known; did you mean "from"? (in plan.json)',
      '9:1 plan.from must be a list, not missing (in plan.json)'
    ])
    expect(await mistakesOf(`${MINIMAL}plan: broken.json\n`, { files })).toEqual([
      '9:1 plan names the file of a key plan, which cannot be read: it is not valid JSON'
    ])
  })
})

describe('a file that a configuration names', () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keystamp-'))
  })

  afterAll(() => rm(folder, { recursive: true }))

  it('is read as text up to a megabyte', async () => {
    const path = join(folder, 'large')
    await writeFile(path, 'x'.repeat(MAX_FILE_BYTES))
    expect((await readRegularFile(path)).length).toBe(MAX_FILE_BYTES)

    await writeFile(path, 'x'.repeat(MAX_FILE_BYTES + 1))
    await expect(readRegularFile(path)).rejects.toThrow('it is larger than 1 MB')
  })

  it.skipIf(process.platform === 'win32')('is refused at once if it is a pipe without a writer', async () => {
    const path = join(folder, 'pipe')
    execFileSync('mkfifo', [path])

    await expect(readRegularFile(path)).rejects.toThrow('it is a pipe or a device; only regular files are read')
  })

  it.skipIf(process.platform === 'win32')('is refused if it is a device', async () => {
    await expect(readRegularFile('/dev/zero')).rejects.toThrow('it is a pipe or a device')
  })

  it('is refused if it is a folder', async () => {
    await expect(readRegularFile(folder)).rejects.toThrow('it is a folder')
  })
})
