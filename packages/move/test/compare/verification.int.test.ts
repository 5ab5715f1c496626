import { afterEach, describe, expect, it } from 'vitest'
import type { PlanDefinition } from '@keystamp/core'
import type { Difference } from '../../src/compare/difference.ts'
import { createVerification, type VerificationOptions } from '../../src/compare/verification.ts'
import { type EmulatedPair, startPair } from './emulated-pair.ts'

const PLAN: PlanDefinition = { into: '/pk', from: [{ field: '/tenant' }, { field: '/device' }] }
const SETTLE_MS = 200

let pair: EmulatedPair | undefined

afterEach(async () => {
  await pair?.stop()
  pair = undefined
})

function verificationOf({ source, target }: EmulatedPair, options: Partial<VerificationOptions> = {}) {
  return createVerification({ source, target, settleMs: SETTLE_MS, ...options })
}

function kindsOf(differences: readonly Difference[]): readonly string[] {
  return differences.map(({ kind, identity }) => `${kind} ${identity.id}`).toSorted()
}

interface Drive {
  readonly id: string
  readonly tenant: string
  readonly device: string
  readonly km: number
}

function driveOf(id: string): Drive {
  return { id, tenant: `t${id.length}`, device: `d${id}`, km: 1 }
}

/** Stores a drive in `a` and its copy in `b`, and returns the copy. */
async function addBoth({ put }: EmulatedPair, drive: Drive): Promise<Drive & { readonly pk: string }> {
  const copy = copyOf(drive)
  await put('a', drive.tenant, drive)
  await put('b', copy.pk, copy)
  return copy
}

function copyOf(drive: Drive): Drive & { readonly pk: string } {
  return { ...drive, pk: `${drive.tenant}-${drive.device}` }
}

/** Plants each kind of difference once. */
async function plantAll(planted: EmulatedPair): Promise<void> {
  const { put, remove } = planted
  for (let index = 0; index < 50; index++) await addBoth(planted, driveOf(`equal${index}`))
  await put('a', 't7', { ...driveOf('missing'), tenant: 't7' })
  await put('b', copyOf(driveOf('extra')).pk, copyOf(driveOf('extra')))
  const different = await addBoth(planted, driveOf('different'))
  await put('b', different.pk, { ...different, km: 2 })
  const misplaced = await addBoth(planted, driveOf('misplaced'))
  await put('b', 'wrong', { ...misplaced, pk: 'wrong' })
  await remove('b', misplaced.pk, 'misplaced')
  const twice = await addBoth(planted, driveOf('twice'))
  await put('b', 'wrong', { ...twice, pk: 'wrong' })
}

const PLANTED = ['different different', 'extra extra', 'extra twice', 'misplaced misplaced', 'missing missing']

describe('a verification', () => {
  // checks L21
  it('finds each planted difference once, repairs them, and then finds nothing', async () => {
    pair = await startPair('/pk')
    await plantAll(pair)
    const verification = verificationOf(pair, { plan: PLAN })

    const comparison = await verification.compare()

    expect(kindsOf(comparison.differences)).toEqual(PLANTED)
    expect(comparison).toMatchObject({ isEqual: false, unsettled: [], isComplete: true })
    expect(comparison.compared).toEqual({ source: 54, target: 55 })
    for (const difference of comparison.differences)
      expect(await verification.repair(difference)).toMatchObject({ kind: 'repaired', chargeRu: expect.any(Number) })
    expect(await verification.compare()).toMatchObject({ isEqual: true, differences: [] })
  })

  it.each<[string, string, Partial<VerificationOptions>]>([
    ['with a plan', '/pk', { plan: PLAN }],
    ['with one key', '/tenant', {}],
    ['by fields', '/pk', { by: ['/tenant', '/id'], ignore: ['/pk'] }]
  ])('does not count the markers of deleted documents, %s', async (_how, path, options) => {
    pair = await startPair(path)
    const keyOf = (drive: Drive): unknown => (path === '/pk' ? copyOf(drive).pk : drive.tenant)
    for (const id of ['one', 'two']) {
      await pair.put('a', driveOf(id).tenant, driveOf(id))
      await pair.put('b', keyOf(driveOf(id)), path === '/pk' ? copyOf(driveOf(id)) : driveOf(id))
    }
    const marker = { _keystampDeleted: true, _keystampPosition: { value: 7 } }
    await pair.put('a', 't4', { id: 'gone', tenant: 't4', ...marker })
    await pair.put('b', 'x', { id: 'late', [path.slice(1)]: 'x', ...marker })

    const comparison = await verificationOf(pair, options).compare()

    expect(comparison.differences).toEqual([])
    expect(comparison).toMatchObject({ isEqual: true, compared: { source: 2, target: 2 } })
  })

  it('needs no plan for containers whose documents have both keys', async () => {
    pair = await startPair('/device')
    const { put } = pair
    const both = async (drive: Drive, copy: Partial<Drive> = {}): Promise<void> => {
      await put('a', drive.tenant, drive)
      await put('b', copy.device ?? drive.device, { ...drive, ...copy })
    }
    for (const id of ['one', 'two']) await both(driveOf(id))
    await both(driveOf('moved'), { device: 'other' })
    await put('a', 't7', { ...driveOf('missing'), tenant: 't7' })
    await put('a', 't8', { id: 'without', tenant: 't8', km: 1 })
    const verification = verificationOf(pair)

    const { differences } = await verification.compare()

    expect(kindsOf(differences)).toEqual(['misplaced moved', 'missing missing', 'missing without'])
    for (const difference of differences)
      expect(await verification.repair(difference)).toMatchObject({ kind: 'repaired' })
    expect((await verification.compare()).isEqual).toBe(true)
  })

  it('writes nothing for a document that is another one than was compared', async () => {
    pair = await startPair('/pk')
    await plantAll(pair)
    const verification = verificationOf(pair, { plan: PLAN })
    const { differences } = await verification.compare()
    const { put, emulator } = pair
    for (const id of ['missing', 'different', 'misplaced', 'twice']) {
      const tenant = `t${id.length}`
      await put('a', tenant, { ...driveOf(id), tenant, km: 3 })
    }
    await put('b', copyOf(driveOf('extra')).pk, { ...copyOf(driveOf('extra')), km: 3 })
    const before = emulator.operations().length

    for (const difference of differences)
      expect([difference.kind, await verification.repair(difference)]).toMatchObject([
        difference.kind,
        { kind: 'changed' }
      ])

    expect(emulator.operations()).toHaveLength(before)
  })

  it('deletes no copy of a document that exists again', async () => {
    pair = await startPair('/pk')
    await plantAll(pair)
    const verification = verificationOf(pair, { plan: PLAN })
    const { differences } = await verification.compare()
    await pair.put('a', 't5', driveOf('extra'))

    const extra = differences.find(({ kind, identity }) => kind === 'extra' && identity.id === 'extra')!
    expect(await verification.repair(extra)).toMatchObject({ kind: 'changed' })
  })

  it.each([
    [{ plan: { ...PLAN, into: '/key' } }, 'CONTAINER_MISMATCH', /The plan writes its key into \/key/],
    [{ by: ['tenant'] }, 'OPTION_INVALID', /`by` takes JSON pointers of properties, such as \/tenant/],
    [{ by: [] }, 'OPTION_INVALID', /`by` must name at least one field/],
    [{ ignore: [''] }, 'OPTION_INVALID', /`ignore` takes JSON pointers/],
    [
      { plan: { ...PLAN, id: { from: [{ field: '/device' }], existing: 'overwrite' } } },
      'PLAN_INVALID',
      /keeps the old/
    ]
  ] as const)('refuses %j', async (options, code, message) => {
    pair = await startPair('/pk')
    const started = pair
    expect(() => verificationOf(started, options as Partial<VerificationOptions>)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) })
    )
  })
})
