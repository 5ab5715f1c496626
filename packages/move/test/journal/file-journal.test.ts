import { appendFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DURABLE_FILES } from '../../src/journal/durable-files.ts'
import { openFileJournal, readFileJournal } from '../../src/journal/file-journal.ts'
import type { Journal, JournalEntry, JournalState } from '../../src/journal/journal.ts'
import { HEADER } from '../../src/journal/journal-lines.ts'
import { BEGIN, phase, ranges, textsOf } from './entries.ts'

let folder = ''
let path = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keystamp-journal-'))
  path = join(folder, 'journal.jsonl')
})

afterEach(() => rm(folder, { recursive: true }))

async function withJournal<T>(run: (journal: Journal) => Promise<T> | T): Promise<T> {
  const journal = await openFileJournal(folder)
  try {
    return await run(journal)
  } finally {
    await journal.close()
  }
}

async function append(...entries: readonly JournalEntry[]): Promise<JournalState> {
  return withJournal(async (journal) => {
    for (const entry of entries) await journal.append(entry)
    return journal.state()
  })
}

async function lines(): Promise<string[]> {
  return (await readFile(path, 'utf8')).split('\n').slice(0, -1)
}

async function refusal(): Promise<unknown> {
  const before = await readFile(path)
  const error: unknown = await openFileJournal(folder).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: 'JOURNAL_INVALID' })
  await expect(readFileJournal(folder)).rejects.toEqual(error)
  expect(await readFile(path)).toEqual(before)
  return (error as Error).message
}

async function fill(journal: Journal, count: number, acknowledged: string[] = []): Promise<void> {
  for (let index = 0; index < count; index++) {
    const texts = `00-80@${index} 80-FF@${index}`
    await journal.append(ranges(texts))
    acknowledged.push(texts)
  }
}

const stop = (): Promise<never> => Promise.reject(new Error('stopped here'))

describe('state', () => {
  test('of a new folder is empty', async () => {
    expect(await readFileJournal(folder)).toBeUndefined()
    expect(await withJournal((journal) => journal.state())).toMatchObject({ begin: undefined, phase: 'copy' })
    expect(await readFile(path, 'utf8')).toBe(HEADER)
  })

  test('is the same after the journal is opened again, and while it is open', async () => {
    const before = await append(BEGIN, ranges('00-80@1 80-FF'), phase('follow'))
    await withJournal(async (journal) => {
      expect(journal.state()).toEqual(before)
      await journal.append(ranges('00-80@2'))
      const others = await readFileJournal(folder)
      expect(textsOf(others?.ranges.forward ?? [])).toBe('00-80@2 80-FF')
    })
  })

  test('has all entries of appends at once, in their order', async () => {
    await withJournal(async (journal) => {
      const entries = [BEGIN, ...Array.from({ length: 500 }, (_, index) => ranges(`00-FF@${index}`))]
      await Promise.all(entries.map((entry) => journal.append(entry)))
      await journal.sync()
    })
    expect(await lines()).toHaveLength(502)
    expect(textsOf((await readFileJournal(folder))!.ranges.forward)).toBe('00-FF@499')
  })
})

test('an entry that may not follow is not written', async () => {
  await withJournal(async (journal) => {
    await journal.append(BEGIN)
    await expect(journal.append(phase('reverse'))).rejects.toMatchObject({ code: 'INVARIANT_BROKEN' })
    await journal.append(phase('follow'))
  })
  expect(await lines()).toHaveLength(3)
})

test('a closed journal takes no entries', async () => {
  const journal = await openFileJournal(folder)
  await journal.close()
  await expect(journal.append(BEGIN)).rejects.toThrow('closed')
  await expect(journal.sync()).rejects.toThrow('closed')
})

describe('a last line that was cut short', () => {
  test('at any byte is cut off, and the journal goes on', async () => {
    await append(BEGIN, ranges('00-FF@1'))
    const kept = (await stat(path)).size
    await append(phase('follow'))
    const whole = await readFile(path)
    for (let length = kept; length < whole.length; length++) {
      await writeFile(path, whole.subarray(0, length))
      expect((await append()).phase).toBe('copy')
      expect((await stat(path)).size).toBe(kept)
    }
    await append(phase('aborted'))
    expect((await readFileJournal(folder))?.phase).toBe('aborted')
  })

  test('is only skipped by a reader, because the writer may still be writing it', async () => {
    await append(BEGIN)
    await appendFile(path, '{"crc')
    expect((await readFileJournal(folder))?.begin).toEqual(BEGIN)
    expect(await readFile(path, 'utf8')).toMatch(/\{"crc$/)
  })

  test('may be the header', async () => {
    for (let length = 0; length < HEADER.length; length++) {
      await writeFile(path, HEADER.slice(0, length))
      await append()
      expect(await readFile(path, 'utf8')).toBe(HEADER)
    }
  })

  test('may be read as zeros', async () => {
    await append(BEGIN)
    await truncate(path, 5000)
    expect((await append()).begin).toEqual(BEGIN)
    await writeFile(path, Buffer.alloc(5000))
    expect((await append()).begin).toBeUndefined()
  })
})

describe('a file that is not as it was written', () => {
  test('is refused with the line of the damage', async () => {
    await append(BEGIN, ranges('00-FF@1'), phase('follow'))
    const [header, first, second, third] = await lines()
    const damaged: [string[], number][] = [
      [[header, first.replace('shop', 'shot'), second, third], 2],
      [[header, first, second.replace('@', ''), 'x', third], 4],
      [[header, first, third], 3],
      [[header, first, second, third.replace('follow', 'aborted')], 4],
      [[header, first, first, second, third], 3]
    ]
    for (const [texts, line] of damaged) {
      await writeFile(path, `${texts.join('\n')}\n`)
      expect(await refusal()).toBe(
        `The journal ${path} is damaged at line ${line}. Restore the folder from a copy, or name an empty folder with \`--journal\` to begin again.`
      )
    }
  })

  test('is refused if it is none of ours', async () => {
    await writeFile(path, '{"orders":5}\n')
    expect(await refusal()).toBe(
      `${path} is not the journal of a move, and was not changed. Name another folder with \`--journal\`.`
    )
  })

  test('is refused if its format is newer', async () => {
    await writeFile(path, '{"format":"keystamp-move","version":12,"x":1}\n...\n')
    expect(await refusal()).toBe(
      `The journal ${path} has the format 12 of a newer version of Keystamp. Continue the move with that version.`
    )
  })
})

test('a file in place of the folder is refused', async () => {
  await writeFile(path, '')
  await expect(openFileJournal(path)).rejects.toThrow(
    `The folder ${path} of the journal cannot be created. It is a file. Name a folder with \`--journal\`.`
  )
})

describe('a journal of another move', () => {
  const { from, to, plan } = BEGIN
  test.each([
    [{ from: { ...from, name: 'shop/x' }, to, plan }, 'it moves from shop/old at a.example, not from shop/x'],
    [{ from, to: { ...to, name: 'shop/y' }, plan }, 'it moves to shop/new at a.example, not to shop/y'],
    [
      { from, to: { ...to, rid: 'CCC=' }, plan },
      'the container shop/new at a.example was deleted and created again since'
    ],
    [{ from, to, plan: 'beef' }, 'it began with another plan'],
    [{ from, to, plan, fence: true }, 'it began without `--fence`']
  ])('is refused with the difference', async (move, difference) => {
    await append(BEGIN)
    await expect(openFileJournal(folder, { move })).rejects.toThrow(
      `The journal ${path} belongs to another move: ${difference}. Name another folder`
    )
    const same = await openFileJournal(folder, { move: { from, to, plan } })
    await same.close()
  })
})

describe('compaction', () => {
  const OPTIONS = { minCompactedBytes: 2000 }

  test('keeps the file within four times its content, and the state', async () => {
    const journal = await openFileJournal(folder, OPTIONS)
    await journal.append(BEGIN)
    await fill(journal, 100)
    expect((await stat(path)).size).toBeLessThan(3000)
    const before = journal.state()
    await journal.close()
    expect(await readFileJournal(folder)).toEqual(before)
  })

  test('does not rewrite a large file whose content is live', async () => {
    let writes = 0
    const files = { ...DURABLE_FILES, write: (...args: [string, string]) => (writes++, DURABLE_FILES.write(...args)) }
    const journal = await openFileJournal(folder, { ...OPTIONS, files })
    await journal.append(BEGIN)
    for (let index = 0; index < 200; index++)
      await journal.append({ type: 'rejected', direction: 'forward', document: `${index}`, code: 'FIELD_MISSING' })
    await journal.close()
    expect(writes).toBe(0)
  })

  test('has entries that were appended meanwhile once', async () => {
    const journal = await openFileJournal(folder, OPTIONS)
    await Promise.all([BEGIN, phase('follow')].map((entry) => journal.append(entry)))
    const appends: Promise<void>[] = []
    for (let index = 0; index < 400; index++) {
      appends.push(journal.append(index % 2 === 0 ? phase('switch', `${index}`) : phase('follow', `${index}`)))
      if (index % 7 === 0) await new Promise(setImmediate)
    }
    await Promise.all(appends)
    const before = journal.state()
    await journal.close()
    expect(await readFileJournal(folder)).toEqual(before)
    expect((await stat(path)).size).toBeLessThan(4000)
  })

  test.each(['write', 'half', 'sync', 'rename', 'syncFolder'] as const)(
    'that ends at the step %s leaves the old file or the new one',
    async (step) => {
      const files = { ...DURABLE_FILES }
      if (step === 'half') {
        files.write = async (to, text) => {
          await DURABLE_FILES.write(to, text.slice(0, text.length / 2))
          return stop()
        }
      } else files[step] = stop
      const journal = await openFileJournal(folder, { ...OPTIONS, files })
      await journal.append(BEGIN)
      const acknowledged: string[] = []
      await expect(fill(journal, 100, acknowledged)).rejects.toThrow('stopped here')
      const applied = textsOf(journal.state().ranges.forward)
      await journal.close()
      const found = textsOf((await readFileJournal(folder))!.ranges.forward)
      expect([acknowledged.at(-1), applied]).toContain(found)
      const again = await openFileJournal(folder, OPTIONS)
      await fill(again, 100)
      expect(textsOf(again.state().ranges.forward)).toBe('00-80@99 80-FF@99')
      await again.close()
    }
  )
})
