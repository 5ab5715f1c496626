import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkNotOlder } from '../../src/journal/older-journal.ts'

const NAMES = { from: 'fleet/old at host', to: 'fleet/new at host' }
const [EARLIER, LATER] = ['2026-03-01T12:00:00.000Z', '2026-03-01T13:00:00.000Z']

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keystamp-older-'))
})

afterEach(() => rm(folder, { recursive: true }))

async function check(status: object | string, phaseAt: string | undefined): Promise<void> {
  await writeFile(join(folder, 'status.json'), typeof status === 'string' ? status : JSON.stringify(status))
  await checkNotOlder(folder, { phaseAt }, NAMES)
}

it.each([
  ['was cut', undefined],
  ['is an older copy', EARLIER]
])('refuses a journal that %s, if the other container is in charge since', async (_, phaseAt) => {
  await expect(check({ ...NAMES, phase: 'reverse', phaseAt: LATER }, phaseAt)).rejects.toMatchObject({
    code: 'JOURNAL_INVALID',
    message: expect.stringMatching(
      /ends before the phase reverse, which began at 2026-03-01T13.* remove status\.json\.$/
    )
  })
})

it.each([
  ['of the same phase', { ...NAMES, phase: 'reverse', phaseAt: LATER }, LATER],
  ['that was written before the journal went on', { ...NAMES, phase: 'back', phaseAt: EARLIER }, LATER],
  ['of a phase in which a new copy does no harm', { ...NAMES, phase: 'follow', phaseAt: LATER }, undefined],
  ['of another move', { ...NAMES, to: 'fleet/other at host', phase: 'reverse', phaseAt: LATER }, undefined],
  ['that is damaged', '{"phase":"rev', undefined]
])('accepts a journal next to a status %s', async (_, status, phaseAt) => {
  await expect(check(status, phaseAt)).resolves.toBeUndefined()
})

it('accepts a journal without a status', async () => {
  await expect(checkNotOlder(folder, { phaseAt: undefined }, NAMES)).resolves.toBeUndefined()
})
