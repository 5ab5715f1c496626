import { readFileSync } from 'node:fs'
import { type Schema, schemaComplaints } from '@keystamp/core/internal'
import { checkMove } from '@keystamp/move'
import { afterEach, describe, expect, it } from 'vitest'
import { describeCheck } from '../../src/rekey/check-text.ts'
import { readMoveFacts } from '../../src/rekey/read-move-facts.ts'
import { createTextLayout } from '../../src/terminal/text-layout.ts'
import { startMove, type StartedMove } from './start-move.ts'

const SCHEMA = JSON.parse(
  readFileSync(new URL('../../../../docs/rekey-check.schema.json', import.meta.url), 'utf8')
) as Schema

const BY_DAY = { into: '/key', from: [{ field: '/deviceId' }, { field: '/day' }] }
const SAME = { into: '/key', from: [{ field: '/deviceId' }] }

const drives = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({
    id: `${index}`,
    deviceId: `device-${index % 10}`,
    day: `day-${index % 3}`,
    speed: index,
    ...more
  }))

let started: StartedMove | undefined

afterEach(async () => {
  await started?.emulator.stop()
  started = undefined
})

describe('readMoveFacts', () => {
  it('reads the source, and that there is no target', async () => {
    started = await startMove({ changeFeedPolicy: { retentionDuration: 600 } })
    await started.write(drives(60))

    const facts = await readMoveFacts(started.optionsFor(SAME))

    expect(facts.source).toMatchObject({
      name: expect.stringMatching(/^fleet\/drives at 127\.0\.0\.1:\d+$/),
      versionsFeed: { value: { isOn: true, retentionMinutes: 600, previousImages: null } },
      scripts: { unknown: expect.stringMatching(/emulator without JavaScript/) },
      throughput: { value: { kind: 'manual', ruPerSecond: 20_000, isShared: false } },
      partitions: 2,
      documents: { value: 60 },
      largestKeyBytes: { value: expect.any(Number) }
    })
    expect(facts.source.settings).toHaveProperty('indexingPolicy')
    expect(facts).toMatchObject({
      target: null,
      targetName: expect.stringMatching(/^fleet\/drives-2 at/),
      plan: { basis: 'identity', keyPaths: ['/key'] },
      sample: { value: { documents: 60, rejected: [], sharedKeys: 10, tornKeys: 0 } },
      recipe: { partitions: 2, createRuPerSecond: 12_000, runRuPerSecond: 20_000 }
    })
  })

  it('reads a target that exists, and what the plan does to documents', async () => {
    started = await startMove({ defaultTtl: 86_400 })
    await started.write([...drives(30), { id: 'x', deviceId: 'device-0', ttl: -1 }])
    const partitionKey = { paths: ['/key'], kind: 'Hash', version: 2 }
    const uniqueKeyPolicy = { uniqueKeys: [{ paths: ['/speed'] }] }
    await started.post('dbs/fleet/colls', { id: 'drives-2', partitionKey, uniqueKeyPolicy })

    const facts = await readMoveFacts(started.optionsFor(BY_DAY))

    expect(facts).toMatchObject({
      target: { partitions: 2, documents: { value: 0 }, versionsFeed: { value: { isOn: false } } },
      plan: { basis: 'fields', fields: ['/day'] },
      sample: {
        value: {
          documents: 31,
          rejected: [{ code: 'FIELD_MISSING', documents: 1 }],
          tornKeys: 10,
          mortal: 30,
          inherited: 30,
          longestLife: null,
          uniqueConflicts: 0
        }
      }
    })
    expect(checkMove(facts).findings.map(({ code }) => code)).toEqual([
      'target-never-expires',
      'target-settings-differ',
      'documents-rejected',
      'transactions-torn',
      'unique-keys',
      'ttl-written',
      'collisions-possible',
      'deletes-by-sweep',
      'back-loses-documents',
      'system-properties-change'
    ])
  })

  it('tells that an account is serverless', async () => {
    started = await startMove()
    await started.write(drives(10))
    started.emulator.faults.inject({ on: 'offers', action: { kind: 'status', status: 400 } })

    const facts = await readMoveFacts(started.optionsFor(SAME))

    expect(facts).toMatchObject({
      source: { throughput: { value: { kind: 'serverless' } } },
      recipe: { createRuPerSecond: null, runRuPerSecond: null }
    })
  })

  it('calls unknown what a role may not read', async () => {
    started = await startMove()
    await started.write(drives(10))
    started.emulator.faults.inject({ on: 'readContainer', count: 1, action: { kind: 'status', status: 403 } })
    started.emulator.faults.inject({ on: 'offers', action: { kind: 'status', status: 403, subStatus: 5300 } })

    const { unknown, recipe } = checkMove(await readMoveFacts(started.optionsFor(SAME)))

    expect(unknown.map(({ what }) => what)).toEqual([
      'stored procedures, triggers and user-defined functions of the source',
      'throughput of the source',
      'size of the largest key of the source'
    ])
    expect(recipe.runRuPerSecond).toBeNull()
  })

  it('writes nothing', async () => {
    const lines: string[] = []
    started = await startMove({}, { log: (line) => lines.push(line) })
    await started.write(drives(10))
    lines.length = 0

    await readMoveFacts(started.optionsFor(SAME))

    // the two POSTs are queries
    const other = lines.filter((line) => !/^(?:GET |POST \/offers |POST \/dbs\/fleet\/colls\/drives\/docs )/.test(line))
    expect(other).toEqual([])
  })

  it('fails if there is no source, and if the plan cannot be used', async () => {
    started = await startMove()
    const options = started.optionsFor(SAME)

    await expect(readMoveFacts({ ...options, source: { ...options.source, container: 'no' } })).rejects.toMatchObject({
      code: 'CONTAINER_MISSING'
    })
    const random = { ...SAME, suffix: { by: 'random', count: 4 } } as const
    await expect(readMoveFacts({ ...options, plan: random })).rejects.toMatchObject({ name: 'PlanError' })
  })

  it('gives a check that fits its schema, and lines of at most 100 columns without values of documents', async () => {
    started = await startMove({ defaultTtl: 86_400 })
    await started.write(drives(30, { note: 'secret' }))

    const check = checkMove(await readMoveFacts(started.optionsFor(BY_DAY)))

    const text = describeCheck(check, createTextLayout({ stdout: process.stdout, env: { NO_COLOR: '1' } }))
    expect(schemaComplaints(SCHEMA, JSON.parse(JSON.stringify(check)))).toEqual([])
    expect(text.split('\n').filter((line) => line.length > 100)).toEqual([])
    expect(`${text}${JSON.stringify(check)}`).not.toMatch(/secret|device-\d|day-\d/)
  })
})
