import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createMemoryJournal } from '../../src/journal/memory-journal.ts'
import { afterJournal, checkNotOlder, enterPhase } from '../../src/journal/older-journal.ts'
import { BEGIN } from './entries.ts'

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

it('accepts a journal next to the status of the phase before, although the clock was set back since', async () => {
  const journal = createMemoryJournal({ entries: [BEGIN] })
  let wallMs = Date.parse(LATER)
  for (const phase of ['follow', 'switch', 'reverse', 'back', 'follow'] as const) {
    const { phase: before, phaseAt } = journal.state()
    await enterPhase({ journal, wallMs: () => (wallMs -= 100_000) }, phase)
    // the process ends before it writes the next status
    await expect(check({ ...NAMES, phase: before, phaseAt }, journal.state().phaseAt)).resolves.toBeUndefined()
  }
})

it('a status shows a phase when the disk has it, and waits for the disk once for each phase', async () => {
  const shown: unknown[] = []
  let syncs = 0
  const disk: { synced: () => void } = { synced: () => {} }
  const sync = async (): Promise<void> => {
    syncs++
    await new Promise<void>((resolve) => (disk.synced = resolve))
  }
  const publish = afterJournal({ sync }, ({ phaseAt }) => shown.push(phaseAt))
  const first = publish({ phaseAt: EARLIER })
  expect(shown).toStrictEqual([])
  disk.synced()
  await first
  await publish({ phaseAt: EARLIER })
  expect({ shown, syncs }).toStrictEqual({ shown: [EARLIER, EARLIER], syncs: 1 })
  void publish({ phaseAt: LATER })
  expect({ shown, syncs }).toStrictEqual({ shown: [EARLIER, EARLIER], syncs: 2 })
})
