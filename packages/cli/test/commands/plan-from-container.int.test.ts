import type { PlanReport } from '@keystamp/planner'
import { describe, expect, it } from 'vitest'
import { useTargets } from '../load/start-target.ts'
import { runCommand } from '../run-command.ts'

const startTarget = useTargets()
const LOAD = ['--writes', '3000/s', '--ttl', '6h', '--query', 'vin @ 20/s']

async function write(container: string, document: Readonly<Record<string, unknown>>, key: string): Promise<void> {
  const [, origin, database, name] = /^(https?:\/\/[^/]+)\/([^/]+)\/([^/]+)$/.exec(container)!
  const answer = await fetch(`${origin}/dbs/${database}/colls/${name}/docs`, {
    method: 'POST',
    body: JSON.stringify(document),
    headers: { 'x-ms-documentdb-partitionkey': JSON.stringify([key]) }
  })
  if (!answer.ok) throw new Error(`The emulator answered ${answer.status}.`)
}

describe('keystamp plan --from-container', () => {
  it('draws a sample of the documents, includes the present key as a candidate, and writes no document', async () => {
    const { emulator, to } = await startTarget({}, ['/date'])
    for (let index = 0; index < 1200; index++) {
      await write(to, { id: `${index}`, date: '2026-01-01', vin: `vin-${index % 600}` }, '2026-01-01')
    }

    const { code, stdout, stderr } = await runCommand(['plan', '--from-container', to, ...LOAD, '--json'])

    expect(code).toBe(0)
    expect(stderr).toMatch(
      /^keystamp: d\/c has 1,200 documents, 4 physical partitions, 100,000 RU\/s, partition key \/date; reading 1,200 documents took [\d,]+ RU\.$/m
    )
    const report = JSON.parse(stdout) as PlanReport
    expect(report.sample).toMatchObject({ records: 1200, population: 1200, method: 'whole' })
    expect(report.candidates.map(({ name }) => name)).toContain('/date (present key)')
    expect(report.verdict.sentence).toContain('/vin')
    // the container has 4 physical partitions, and splits double them
    const present = report.candidates.find(({ name }) => name === '/date (present key)')
    expect([null, 4, 8, 16]).toContain(present?.physicalPartitions)
    expect(stdout).not.toContain('_rid')
    expect(emulator.operations()).toHaveLength(1200)

    const some = await runCommand(['plan', '--from-container', to, ...LOAD, '--json', '--sample', '500', '-q'])
    expect(some.stderr).toBe('')
    expect((JSON.parse(some.stdout) as PlanReport).sample).toMatchObject({
      records: 500,
      population: 1200,
      method: 'reservoir'
    })
  })

  it('reports in a sentence that it may not read the container, or that the container does not exist', async () => {
    const { emulator, to } = await startTarget()

    expect(await runCommand(['plan', '--from-container', `${to}x`, ...LOAD])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no such database or container')
    })
    for (const [status, reason] of [
      [401, 'The key or token is wrong or has expired'],
      [403, 'The firewall blocks this address, a role is not assigned']
    ] as const) {
      emulator.faults.inject({ action: { kind: 'status', status } })
      expect(await runCommand(['plan', '--from-container', to, ...LOAD])).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(reason)
      })
      emulator.faults.clear()
    }
  })

  it.each<[string, readonly string[], string]>([
    [
      'files in addition',
      ['drives.ndjson'],
      'The sample can come from only one source: leave out files, or --from-container'
    ],
    ['a --read-limit that is not a number', ['--read-limit', 'fast'], '--read-limit must be a number of RU/s'],
    ['a --read-limit of 0', ['--read-limit', '0'], '--read-limit must be at least 1 RU/s'],
    ['a sample of 0 records', ['--sample', '0'], '--sample must be at least 1']
  ])('refuses %s', async (_title, args, sentence) => {
    const { code, stderr } = await runCommand(['plan', '--from-container', 'http://127.0.0.1:1/d/c', ...args])

    expect(code).toBe(2)
    expect(stderr).toContain(sentence)
  })

  it('refuses a container without an account, and --read-limit without a container', async () => {
    expect(await runCommand(['plan', '--from-container', 'd/c'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--from-container d/c does not name the account')
    })
    expect(await runCommand(['plan', '--read-limit', '100'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--read-limit needs --from-container')
    })
  })
})
