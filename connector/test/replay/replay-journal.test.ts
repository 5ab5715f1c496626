import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openReplayJournal, readReplayJournal } from '../../src/replay/replay-journal.ts'

const OWNER = { sink: 'cars', target: 'https://a/d/c' }
const MARK = (n: number): string => String(n).repeat(32)

describe('the journal of a replay', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'keystamp-journal-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const file = (): string => join(folder, 'replayed.txt')

  function write(...marks: readonly string[]): void {
    const journal = openReplayJournal(folder, OWNER)
    for (const mark of marks) journal.add(mark, 'dead/0/1')
    journal.sync()
    journal.close()
  }

  it('knows the marks of earlier runs', () => {
    expect(readReplayJournal(join(folder, 'none'), OWNER).size).toBe(0)
    write(MARK(1))
    write(MARK(2))

    const journal = openReplayJournal(folder, OWNER)
    expect([1, 2, 3].map((n) => journal.has(MARK(n)))).toEqual([true, true, false])
    journal.close()
  })

  it('leaves out a line that a killed process did not complete, and keeps the lines after it', () => {
    write(MARK(1))
    appendFileSync(file(), MARK(2).slice(0, 20))
    write(MARK(3))

    const marks = readReplayJournal(folder, OWNER)
    expect([1, 2, 3].map((n) => marks.has(MARK(n)))).toEqual([true, false, true])
  })

  it('begins again if a killed process did not complete the first line', () => {
    write(MARK(1))
    truncateSync(file(), 25)
    expect(readReplayJournal(folder, OWNER).size).toBe(0)
    write(MARK(2))
    expect(readFileSync(file(), 'utf8')).toMatch(/^keystamp replay 1 \{.*\}\n2{32} dead\/0\/1\n$/)
  })

  it.each([
    [{ ...OWNER, sink: 'bikes' }, 'is the journal of another replay: {"sink":"cars","target":"https://a/d/c"}'],
    [{ ...OWNER, target: 'https://a/d/other' }, 'is the journal of another replay']
  ])('is refused for %j', (owner, why) => {
    write(MARK(1))
    const refusal = expect.objectContaining({
      code: 'JOURNAL_INVALID',
      message: expect.stringContaining(why) as string
    })
    expect(() => openReplayJournal(folder, owner)).toThrow(refusal)
    expect(() => readReplayJournal(folder, owner)).toThrow(refusal)
  })

  it('is refused if its file is something else, which stays as it was', () => {
    writeFileSync(file(), 'shopping list\nmilk\n')
    expect(() => openReplayJournal(folder, OWNER)).toThrow('is no journal of a replay')
    expect(readFileSync(file(), 'utf8')).toBe('shopping list\nmilk\n')
  })
})
