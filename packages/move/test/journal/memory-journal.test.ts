import { expect, test } from 'vitest'
import { createMemoryJournal, type JournalMoment } from '../../src/journal/memory-journal.ts'
import { BEGIN, phase, ranges } from './entries.ts'

test('has the rules of the journal in a folder', async () => {
  const journal = createMemoryJournal()
  await expect(journal.append(phase('follow'))).rejects.toMatchObject({ code: 'INVARIANT_BROKEN' })
  await journal.append(BEGIN)
  await journal.append(ranges('00-FF@1'))
  expect(journal.state().begin).toEqual(BEGIN)
  expect(createMemoryJournal({ entries: journal.entries }).state()).toEqual(journal.state())
})

test('tells which entries survive a power failure', async () => {
  const journal = createMemoryJournal()
  await journal.append(BEGIN)
  await journal.sync()
  await journal.append(phase('follow'))
  expect(journal.syncedEntries).toEqual([BEGIN])
  expect(journal.entries).toEqual([BEGIN, phase('follow')])
})

test.each([
  ['append', 1, 0],
  ['appended', 2, 0],
  ['sync', 2, 0],
  ['synced', 2, 2]
] as const)('can be cut at the moment %s', async (cutAt, written, synced) => {
  const moments: JournalMoment[] = []
  const journal = createMemoryJournal({
    onMoment: (moment) => {
      moments.push(moment)
      if (moment === cutAt && moments.length > 2) throw new Error('cut')
    }
  })
  await journal.append(BEGIN)
  await expect(journal.append(phase('follow')).then(() => journal.sync())).rejects.toThrow('cut')
  expect(journal.entries).toHaveLength(written)
  expect(journal.syncedEntries).toHaveLength(synced)
  await expect(journal.append(phase('switch'))).rejects.toThrow('cut')
  await expect(journal.sync()).rejects.toThrow('cut')
})
