import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runCommand } from '../run-command.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keystamp-labels-'))
})

afterEach(() => rm(folder, { recursive: true }))

it('keystamp plan --check says that numbered labels are better for the one base key of a sample', async () => {
  const [sample, plan] = [join(folder, 'sample.ndjson'), join(folder, 'plan.json')]
  const lines = Array.from({ length: 2000 }, (_, index) => JSON.stringify({ tenant: 'tenant-38', order: `o-${index}` }))
  await writeFile(sample, lines.join('\n'))
  const suffix = { by: '/order', count: 6, labels: 'even' }
  await writeFile(plan, JSON.stringify({ into: '/partitionKey', from: [{ field: '/tenant' }], suffix }))

  const { stdout } = await runCommand(['plan', sample, '--check', plan, '--changes', 'order'])

  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
    /Warnings Even labels are worse than numbered ones .* with 10 physical partitions, the load can use \d+ % of the throughput, and \d+ % with "labels": "numbered"\./
  )
})
