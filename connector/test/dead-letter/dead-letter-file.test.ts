import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDeadLetterFile } from '../../src/dead-letter/dead-letter-file.ts'
import { turn, VirtualClock } from '../simulation/virtual-clock.ts'
import { recordAt, REJECTION } from './sample.ts'

let folder: string
let path: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keystamp-rejects-'))
  path = join(folder, 'rejects.ndjson')
})

afterEach(() => rm(folder, { recursive: true }))

async function lines(): Promise<readonly unknown[]> {
  const text = await readFile(path, 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
}

describe('a file of rejected records', () => {
  it('contains each whole record with its reason, and only its owner may read it', async () => {
    const rejects = createDeadLetterFile({ path })
    const headers = { trace: Buffer.from([1]), many: ['a', Buffer.from('b')], none: undefined }

    await rejects.send(recordAt(7, { key: Buffer.from([0xff]), value: Buffer.from('{bad'), headers }), REJECTION)
    await rejects.send(recordAt(8, { key: null, value: null }), REJECTION)

    const { ok: _, ...reason } = REJECTION
    expect(await lines()).toEqual([
      {
        ...reason,
        topic: 'cars',
        partition: 3,
        offset: 7,
        timestamp: '1533818096000',
        key: '/w==',
        value: Buffer.from('{bad').toString('base64'),
        headers: [
          ['trace', 'AQ=='],
          ['many', 'YQ=='],
          ['many', 'Yg=='],
          ['none', null]
        ]
      },
      {
        ...reason,
        topic: 'cars',
        partition: 3,
        offset: 8,
        timestamp: '1533818096000',
        key: null,
        value: null,
        headers: []
      }
    ])
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await rejects.close()
  })

  it('is appended to, even after an incomplete line', async () => {
    const first = createDeadLetterFile({ path })
    await first.send(recordAt(1), REJECTION)
    await first.close()
    await appendFile(path, '{"half')
    const second = createDeadLetterFile({ path })
    await second.send(recordAt(2), REJECTION)
    await second.close()

    const [one, half, two] = (await readFile(path, 'utf8')).split('\n')
    expect([JSON.parse(one), half, JSON.parse(two)]).toMatchObject([{ offset: 1 }, '{"half', { offset: 2 }])
  })

  it('keeps the order of concurrent copies', async () => {
    const rejects = createDeadLetterFile({ path })
    await Promise.all(Array.from({ length: 1200 }, (_, offset) => rejects.send(recordAt(offset), REJECTION)))
    await rejects.close()

    expect((await lines()).map((line) => (line as { offset: number }).offset)).toEqual(
      Array.from({ length: 1200 }, (_, offset) => offset)
    )
  })

  it('is created by the check at the start', async () => {
    const rejects = createDeadLetterFile({ path })
    await rejects.check()
    await rejects.close()

    expect((await stat(path)).size).toBe(0)
  })

  it.each([
    ['whose folder does not exist', () => join(folder, 'missing', 'rejects.ndjson'), 'ENOENT'],
    ['that is a folder', () => folder, 'EISDIR']
  ])('%s is refused by the check and by each copy', async (_, wrongPath, code) => {
    const rejects = createDeadLetterFile({ path: wrongPath() })

    await expect(rejects.check()).rejects.toMatchObject({
      code: 'REJECTS_FAILED',
      message: expect.stringContaining(code) as string
    })
    await expect(rejects.send(recordAt(1), REJECTION)).rejects.toMatchObject({ code: 'REJECTS_FAILED' })
    await rejects.close()
  })

  it.skipIf(!existsSync('/dev/full'))(
    'is written again and again while the disk is full, and the reason is reported',
    async () => {
      const clock = new VirtualClock()
      const rejects = createDeadLetterFile({ path: '/dev/full', clock, random: () => 0 })
      let outcome: unknown
      rejects.send(recordAt(1), REJECTION).then(
        () => (outcome = 'stored'),
        (error: unknown) => (outcome = error)
      )
      for (let attempt = 1; attempt < 5; attempt++) {
        while (rejects.waitingFor === undefined) await turn()
        await clock.runUntil(attempt * 1000)
      }

      expect(rejects.waitingFor).toBe('the file /dev/full: it cannot be written (ENOSPC)')
      expect(outcome).toBeUndefined()
      await rejects.close()
      expect(outcome).toMatchObject({ code: 'REJECTS_FAILED' })
    }
  )

  it('accepts nothing after it is closed', async () => {
    const rejects = createDeadLetterFile({ path })
    await rejects.close()

    await expect(rejects.send(recordAt(1), REJECTION)).rejects.toMatchObject({ code: 'REJECTS_FAILED' })
  })

  it('keeps lines that another process wrote', async () => {
    await writeFile(path, 'theirs\n')
    const rejects = createDeadLetterFile({ path })
    await rejects.send(recordAt(1), REJECTION)
    await rejects.close()

    expect(await readFile(path, 'utf8')).toMatch(/^theirs\n\{.*\}\n$/)
  })
})
