import type { KeystampError } from '@keystamp/core'
import { describe, expect, test } from 'vitest'
import type { JournalEntry, JournalState, Phase } from '../../src/journal/journal.ts'
import { JournalReduction } from '../../src/journal/journal-state.ts'
import { createMemoryJournal, type JournalMoment } from '../../src/journal/memory-journal.ts'
import { BEGIN, phase, ranges, textsOf } from './entries.ts'

function reduce(...entries: readonly JournalEntry[]): JournalState {
  const reduction = new JournalReduction()
  for (const entry of entries) reduction.apply(entry)
  return reduction.state
}

function forward(...texts: readonly string[]): string {
  return textsOf(reduce(BEGIN, ...texts.map((text) => ranges(text))).ranges.forward)
}

/** Code of the error; undefined if the call succeeds. */
function codeOf(run: () => unknown): string | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    return (error as KeystampError).code
  }
}

describe('first entry', () => {
  test('begins the phase copy at its time', () => {
    expect(reduce(BEGIN)).toMatchObject({ begin: BEGIN, phase: 'copy', phaseAt: BEGIN.at, compared: undefined })
  })

  test('cannot be another entry, or stand a second time', () => {
    expect(() => reduce(phase('follow'))).toThrow('an entry of the type phase is not the first')
    expect(() => reduce(BEGIN, BEGIN)).toThrow('it has its first entry already')
  })
})

describe('positions of ranges', () => {
  test('replace the position of the same range', () => {
    expect(forward('00-80@1 80-FF@1', '80-FF@2')).toBe('00-80@1 80-FF@2')
  })

  test('of a split replace the position of the parent', () => {
    expect(forward('00-80@1 80-FF@1', '40-80@2 00-40@3')).toBe('00-40@3 40-80@2 80-FF@1')
  })

  test('of a merge replace the positions of both parents', () => {
    expect(forward('00-40@1 40-80@2 80-FF@3', '00-80@4')).toBe('00-80@4 80-FF@3')
  })

  test('are sorted, and kept by direction', () => {
    const { ranges: found } = reduce(BEGIN, ranges('80-FF@1'), ranges('00-80@2'), ranges('00-FF@9', 'back'))
    expect(textsOf(found.forward)).toBe('00-80@2 80-FF@1')
    expect(textsOf(found.back)).toBe('00-FF@9')
  })

  test.each([
    ['00-40@2', 'replaces the range [00, 80) only in part'],
    ['00-30@2 40-80@2', 'replaces the range [00, 80) only in part'],
    ['10-80@2', 'replaces the range [00, 80) only in part'],
    ['00-50@2 40-80@2', 'of one entry overlap'],
    ['80-80@2', 'is empty']
  ])('are refused if they leave a gap or overlap: %s', (added, message) => {
    expect(() => forward('00-80@1 80-FF@1', added)).toThrow(message)
  })
})

describe('phases', () => {
  const ALLOWED: Record<Phase, string> = {
    copy: 'follow aborted',
    follow: 'switch aborted',
    switch: 'follow reverse',
    reverse: 'back finished',
    back: 'follow reverse',
    finished: '',
    aborted: ''
  }
  const WAYS: Record<Phase, readonly Phase[]> = {
    copy: [],
    follow: ['follow'],
    switch: ['follow', 'switch'],
    reverse: ['follow', 'switch', 'reverse'],
    back: ['follow', 'switch', 'reverse', 'back'],
    finished: ['follow', 'switch', 'reverse', 'finished'],
    aborted: ['aborted']
  }
  const names = Object.keys(ALLOWED) as Phase[]

  test.each(names)('after %s are the allowed ones only', (before) => {
    const way = [BEGIN, ...WAYS[before].map((name) => phase(name))]
    const allowed = names.filter((name) => codeOf(() => reduce(...way, phase(name))) === undefined)
    expect(allowed.join(' ')).toBe(ALLOWED[before])
  })

  test('that are refused change nothing', () => {
    const reduction = new JournalReduction()
    reduction.apply(BEGIN)
    expect(codeOf(() => reduction.apply(phase('finished')))).toBe('INVARIANT_BROKEN')
    expect(() => reduction.apply(phase('finished'))).toThrow('the phase finished cannot follow the phase copy')
    expect(reduction.state.phase).toBe('copy')
  })
})

test('rejected documents leave the state when they are copied after all', () => {
  const entry = { type: 'rejected', direction: 'forward' } as const
  const state = reduce(
    BEGIN,
    { ...entry, document: 'a', code: 'FIELD_MISSING' },
    { ...entry, document: 'b', code: 'FIELD_NULL' },
    { ...entry, document: 'a', code: null }
  )
  expect([...state.rejected.forward]).toEqual([['b', 'FIELD_NULL']])
  expect(state.rejected.back.size).toBe(0)
})

test('the shortest list of entries has the same sum', () => {
  const reduction = new JournalReduction()
  const tries = Array.from({ length: 50 }, () => [phase('switch'), phase('follow')]).flat()
  const entries: JournalEntry[] = [
    BEGIN,
    ranges('00-FF@1'),
    phase('follow', 'first'),
    ...tries,
    ranges('00-80@2 80-FF@2'),
    { type: 'rejected', direction: 'back', document: 'a', code: 'FIELD_MISSING' },
    { type: 'compared', at: 'now', isEqual: false, differences: 3 },
    phase('switch', 'second'),
    phase('reverse', 'third'),
    ranges('00-FF@3', 'back')
  ]
  for (const entry of entries) reduction.apply(entry)
  const shortest = [...reduction.entries()]
  expect(reduce(...shortest)).toEqual(reduction.state)
  expect(reduction.state.phaseAt).toBe('third')
  expect(shortest).toHaveLength(8)
})

describe('a journal in memory', () => {
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
})
