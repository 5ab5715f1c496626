import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatMany } from '@keystamp/planner'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../run-command.ts'
import { plant } from '../xray/planted.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keystamp-singular-'))
})

afterEach(() => rm(folder, { recursive: true }))

/** The number 1 before a noun in the plural. */
const WRONG =
  /(?<![\d.,])1 (?:[a-z]+ )?(?:documents|keys|rows|records|requests|partitions|writes|queries|windows|days|regions|suffixes|values)\b/g

describe('texts about one of something', () => {
  it('has no plural in keystamp plan', async () => {
    const [sample, html] = [join(folder, 'sample.ndjson'), join(folder, 'plan.html')]
    await writeFile(sample, '{"id":"a","key":"k-1","kind":1}\n[]\n')
    const load = ['--writes', '1/s', '--items', '1', '--ttl', '1d', '--query', 'key @ 1/s rows=1']

    for (const args of [[], load]) {
      const { stdout, stderr } = await runCommand(['plan', sample, '--html', html, ...args])

      expect(stdout).toContain('1 record of the sample')
      expect(stderr).toContain('1 of 2 records is no JSON object, and is ignored.')
      expect(stdout.match(WRONG)).toBeNull()
      expect((await readFile(html, 'utf8')).replaceAll(/<[^>]*>/g, '').match(WRONG)).toBeNull()
    }
  })

  it('has no plural in keystamp xray', async () => {
    const minutes = [[{ id: 'a', key: 'k' }], ...Array.from({ length: 14 }, () => [])]
    const { emulator, container } = await plant({ options: { ranges: 1, ruPerSecond: 400 }, minutes, truth: 0 })
    const html = join(folder, 'xray.html')

    const { stdout } = await runCommand(['xray', container, '--max-ru', '1000000', '--html', html])
    await emulator.stop()

    expect(stdout).toContain('1 physical partition')
    expect(stdout).toContain('1 document')
    expect(stdout.match(WRONG)).toBeNull()
    expect((await readFile(html, 'utf8')).replaceAll(/<[^>]*>/g, '').match(WRONG)).toBeNull()
  })

  it('has no plural in keystamp capacity', async () => {
    for (const args of [
      ['--gb', '1', '--growth', '1GB/day'],
      ['--writes', '1/min', '--ttl', '1d'],
      ['--gb', '1', '--partitions', '1']
    ]) {
      const { stdout } = await runCommand(['capacity', ...args])

      expect(stdout).toContain('1 physical partition')
      expect(stdout.match(WRONG)).toBeNull()
    }
  })

  it.each([
    [0, '0 keys'],
    [1, '1 key'],
    [1.2, '1.2 keys'],
    [5000, '5,000 keys']
  ])('formatMany prints %d as "%s"', (count, text) => {
    expect(formatMany(count, 'key')).toBe(text)
  })
})
