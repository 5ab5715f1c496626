import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Schema, schemaComplaints } from '@keystamp/core/internal'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { VerifyReport } from '../../src/verify/verify-report.ts'
import { type Ran, runCommand, type RunOptions } from '../run-command.ts'
import { copyOf, driveOf, PLAN, plantDifferences, type PlantedPair, startPlantedPair } from './planted-pair.ts'

const SCHEMA = JSON.parse(
  readFileSync(new URL('../../../../docs/verify-report.schema.json', import.meta.url), 'utf8')
) as Schema

let pair: PlantedPair
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keystamp-verify-'))
  await writeFile(join(folder, 'plan.json'), PLAN)
  pair = await startPlantedPair()
})

afterEach(async () => {
  await pair.emulator.stop()
  await rm(folder, { recursive: true })
})

function verify(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const plan = join(folder, 'plan.json')
  return runCommand(['verify', ...pair.names, '--plan', plan, '--settle', '0.2s', '--max-ru', '100%', ...args], options)
}

async function verifyJson(args: readonly string[] = []): Promise<VerifyReport> {
  const { stdout, stderr } = await verify(['--json', ...args])
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as VerifyReport
}

describe('keystamp verify --json', () => {
  it('prints a report that fits its schema, without ids', async () => {
    await plantDifferences(pair, 1)

    const report = await verifyJson()

    expect(schemaComplaints(SCHEMA, report)).toEqual([])
    expect(report).toMatchObject({
      equal: false,
      compared: { a: 23, b: 23 },
      missing: [{ copy: null, planned: { hash: expect.any(String) } }],
      extra: [{ planned: null }],
      different: [{ code: null }],
      misplaced: [{ copy: { hash: expect.any(String) } }],
      unsettled: [],
      complete: true
    })
    expect(report.ruSpent).toBeGreaterThan(0)
    expect(JSON.stringify(report)).not.toMatch(/missing-|tenant|device/)
  })

  it('has keys and ids with --show-ids', async () => {
    await plantDifferences(pair, 1)

    const report = await verifyJson(['--show-ids'])

    expect(schemaComplaints(SCHEMA, report)).toEqual([])
    expect(report.misplaced).toMatchObject([
      {
        document: { key: ['tenant11'], id: 'misplaced-0' },
        copy: { key: ['wrong'], id: 'misplaced-0' },
        planned: { key: [copyOf(driveOf('misplaced-0')).pk], id: 'misplaced-0' }
      }
    ])
  })
})

describe('keystamp verify', () => {
  it('ends with 0 for equal containers', async () => {
    await plantDifferences(pair, 0)

    const { code, stdout, stderr } = await verify([])

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Equal at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\.\n/)
  })

  it('ends with 4 for different containers, and prints the first 20 differences on lines of 100 columns', async () => {
    await plantDifferences(pair, 6)

    const { code, stdout, stderr } = await verify([])

    expect(code).toBe(4)
    expect(stdout).toMatch(/^Different: 24 differences\.\n/)
    expect(stdout).toContain('and 4 more (--json has them all)')
    expect(stdout.match(/^(?:missing|extra|different|misplaced) {2,}[0-9a-f]{32}/gm)).toHaveLength(20)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
    expect(stderr).toMatch(/^keystamp: 24 documents differ; waiting until they have not changed for/)
  })

  it('ends with 1 if nothing differs but a document could not be compared', async () => {
    for (const device of ['one', 'two']) await pair.put('a', { ...driveOf(device), km: 7 })
    await pair.put('b', copyOf({ ...driveOf('one'), km: 7 }))

    const { code, stdout } = await runCommand(
      [
        'verify',
        ...pair.names,
        '--settle',
        '0.2s',
        '--by',
        '/km',
        '--ignore',
        '/id',
        '--ignore',
        '/pk',
        '--ignore',
        '/device'
      ],
      {}
    )

    expect(code).toBe(1)
    expect(stdout).toMatch(/^Not settled: no difference was found, but 1 document could not be compared\.\n/)
  })
})

describe('keystamp verify --repair', () => {
  it('writes nothing without a yes', async () => {
    await plantDifferences(pair, 1)
    const before = pair.emulator.operations().length

    const { code, stderr } = await verify(['--repair'], { input: 'no\n', isInputTTY: true })

    expect(code).toBe(4)
    expect(stderr).toContain('Repair 4 differences in d/b at 127.0.0.1')
    expect(stderr).toContain('delete 2 documents there? (yes/no)')
    expect(stderr).toContain('keystamp: nothing was written.')
    expect(pair.emulator.operations()).toHaveLength(before)
  })

  it.each([
    ['a yes on the terminal', [], { input: 'yes\n', isInputTTY: true }],
    ['--yes', ['--yes'], {}]
  ] as const)('repairs everything that it shows after %s', async (_, args, options) => {
    await plantDifferences(pair, 6)

    const { code, stdout, stderr } = await verify(['--repair', ...args], options)

    expect(stdout.match(/^(?:missing|extra|different|misplaced) {2,}/gm)).toHaveLength(24)
    expect(stderr).toContain('keystamp: 24 differences repaired.')
    expect(code).toBe(0)
    const repaired = await pair.bodies('b')
    const expected = (await pair.bodies('a')).map((drive) => String(copyOf(drive).pk))
    expect(repaired.map(({ pk }) => String(pk)).toSorted()).toEqual(expected.toSorted())
    expect(repaired.every(({ km }) => km === 1)).toBe(true)
    expect((await verify([])).code).toBe(0)
  })

  it('says what an interruption has left', async () => {
    await plantDifferences(pair, 6)
    pair.emulator.faults.inject({ on: 'write', action: { kind: 'delay', ms: 2000 } })
    const ending = new AbortController()
    const repairing = verify(['--repair', '--yes'], { signal: ending.signal })
    await expect.poll(() => pair.emulator.faults.list()[0].applied, { timeout: 20_000 }).toBeGreaterThan(0)
    ending.abort()

    const { code, stderr } = await repairing

    expect(code).toBe(130)
    expect(stderr).toMatch(
      /^keystamp: interrupted\. \d+ differences? repaired\. Run the command again to see what is left\.$/m
    )
  })

  it('is refused without a terminal and without --yes', async () => {
    expect(await verify(['--repair'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--repair asks before it writes, and standard input is no terminal: add --yes.')
    })
  })
})

describe('a wrong command line', () => {
  it.each([
    [['--yes'], '--yes answers the question of --repair: add --repair.'],
    [['--max-ru', '5'], '--max-ru must be at least 20 RU/s, not "5"'],
    [['--max-ru', '0%'], '--max-ru takes a percentage above 0% and up to 100%, not "0%".'],
    [['--settle', 'soon'], '--settle '],
    [['--by', 'tenant'], '--by takes JSON pointers of properties, such as /tenant'],
    [['--ignore', 'pk'], '--ignore takes JSON pointers of properties'],
    [['--keep-id-in', '/old'], '--keep-id-in is for a plan that makes new ids: name the plan with --plan.'],
    [['--plan', 'absent.json'], 'The plan absent.json cannot be read: ']
  ])('is refused: %j', async (args, message) => {
    const { code, stderr } = await runCommand(['verify', ...pair.names, ...args])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
  })

  it('is refused if it names one container, or one container twice', async () => {
    const [a] = pair.names
    expect(await runCommand(['verify', a])).toMatchObject({
      code: 2,
      stderr: 'keystamp: Name two containers: keystamp verify my-database/old my-database/new.\n'
    })
    expect(await runCommand(['verify', a, a])).toMatchObject({
      code: 2,
      stderr: 'keystamp: Both names are of the same container: name two.\n'
    })
  })

  it('is refused if the second container lacks the key of the first one', async () => {
    await pair.put('a', driveOf('one'))
    await pair.put('b', { id: 'one', pk: 'p' } as never)

    expect(await runCommand(['verify', ...pair.names])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^keystamp: The documents of d\/b at .* do not have the field \/tenant,.* --by/)
    })
  })
})
