import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PlanReport } from '@keystamp/planner'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../run-command.ts'
import { REPORT_SAMPLES } from './report-samples.ts'

let folder: string
let report: PlanReport

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keystamp-saved-'))
  const [, , { input, args }] = REPORT_SAMPLES
  report = JSON.parse((await runCommand(['plan', ...args, '--json'], { input })).stdout) as PlanReport
})

afterAll(() => rm(folder, { recursive: true }))

describe('a damaged report', () => {
  it.each<[string, (damaged: Damaged) => void, string]>([
    ['a sample without its records', ({ sample }) => delete sample['records'], '/sample/records is missing'],
    ['a candidate without a name', ({ candidates }) => delete candidates[1]['name'], '/candidates/1/name is missing'],
    ['a rank that is a string', ({ candidates }) => (candidates[0]['rank'] = '1'), '/candidates/0/rank is no integer'],
    ['a verdict of an unknown kind', ({ verdict }) => (verdict['kind'] = 'x'), '/verdict/kind is none of']
  ])('is refused with the path of its damage: %s', async (_title, damage, complaint) => {
    const damaged = structuredClone(report) as unknown as Damaged
    damage(damaged)
    const path = join(folder, 'damaged.json')
    await writeFile(path, JSON.stringify(damaged))

    const { code, stdout, stderr } = await runCommand(['plan', '--report', path])

    expect(stderr).toContain(`${path} is not a report of this version of keystamp: ${complaint}`)
    expect(stderr).toContain('Save one with keystamp plan ... --json > report.json.')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })
})

interface Damaged {
  readonly sample: Record<string, unknown>
  readonly verdict: Record<string, unknown>
  readonly candidates: Record<string, unknown>[]
}
