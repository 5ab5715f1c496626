import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { encodeFileHeader } from '../../src/data/file-header.ts'
import { type DataFolder, openDataFolder } from '../../src/data/open-folder.ts'
import { Account } from '../../src/store/account.ts'
import { fillFolder, type Filled } from './filled-folder.ts'

// KEYSTAMP_TEST_FLIPS=1000 tries more
const RUNS = Number(process.env['KEYSTAMP_TEST_FLIPS'] ?? 60)

let original: string
let filled: Filled
let folder: string

beforeAll(async () => {
  original = mkdtempSync(join(tmpdir(), 'keystamp-intact-'))
  filled = await fillFolder(original)
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keystamp-damaged-'))
  cpSync(original, folder, { recursive: true })
  return () => rmSync(folder, { recursive: true })
})
afterAll(() => rmSync(original, { recursive: true }))

async function open(path = folder): Promise<{ data: DataFolder; account: Account }> {
  const account = new Account()
  return { data: await openDataFolder({ path, isSync: false }, account), account }
}

/** The state of a folder: all resources and all items with their bytes. */
async function stateOf(path = folder): Promise<{ state: string; notices: readonly string[] }> {
  const { data, account } = await open(path)
  data.close()
  return { state: filled.describe(account), notices: data.notices }
}

const fileOf = (kind: string): string => join(folder, readdirSync(folder).find((name) => name.startsWith(kind)) ?? '')
const snapshot = (): string => fileOf('snapshot-')
const log = (): string => fileOf('log-')

it('a folder with a snapshot and a log is read with the state that was written', async () => {
  expect(await stateOf()).toEqual({ state: filled.state, notices: [] })
})

// checks L16
it('each changed byte of a file gives a sentence with the file and a position', { timeout: 120_000 }, async () => {
  const files = [snapshot(), log()]
  await fc.assert(
    fc.asyncProperty(
      fc.nat(1),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      fc.integer({ min: 1, max: 255 }),
      async (which, at, flip) => {
        const path = files[which]
        const bytes = readFileSync(path)
        const position = Math.floor(at * bytes.length)
        const changed = Buffer.from(bytes)
        changed[position] ^= flip
        writeFileSync(path, changed)
        const error = await stateOf().catch((thrown: unknown) => thrown)
        writeFileSync(path, bytes)
        expect(error).toBeInstanceOf(Error)
        const { message } = error as Error
        expect(message).toMatch(SENTENCE)
        expect(message).toContain(path)
      }
    ),
    { numRuns: RUNS }
  )
})

const SENTENCE =
  /^The data file \S+ is damaged at byte \d+: [^.]+\. Restore the folder from a copy, or [^.]+(?:\.|: truncate -s \d+ \S+)$/

it('each changed byte of the headers of files and first entries gives a sentence', async () => {
  for (const path of [snapshot(), log()]) {
    const bytes = readFileSync(path)
    for (let position = 0; position < 34; position++) {
      const changed = Buffer.from(bytes)
      changed[position] ^= 1 << (position % 8)
      writeFileSync(path, changed)
      await expect(stateOf()).rejects.toThrow('is damaged at byte')
    }
    writeFileSync(path, bytes)
  }
})

// checks L16
it('a log that is cut off within an entry loses only this entry, and says so', async () => {
  const { size } = statSync(log())
  truncateSync(log(), size - 3)
  const { state, notices } = await stateOf()
  expect(state).toBe(filled.stateBeforeLastEntry)
  expect(notices).toEqual([
    expect.stringMatching(
      /^The data file \S+ ended within an entry, which no client had an answer to\. Its \d+ bytes from byte \d+ on were dropped\.$/
    )
  ])
  expect(await stateOf()).toEqual({ state: filled.stateBeforeLastEntry, notices: [] })
})

it('a log that is cut off within its header is read as one without changes, and says so', async () => {
  truncateSync(log(), 10)
  const { notices } = await stateOf()
  expect(notices).toEqual([expect.stringMatching(/ Its 10 bytes from byte 0 on were dropped\.$/)])
})

// checks L16
it('a log that is cut off at any byte is read up to its last complete entry', async () => {
  const bytes = readFileSync(log())
  const states = new Set<string>()
  for (let size = filled.historyFrom; size < bytes.length; size += 397) {
    writeFileSync(log(), bytes.subarray(0, size))
    states.add((await stateOf()).state)
    writeFileSync(log(), bytes)
  }
  expect([...states].every((state) => filled.history.includes(state))).toBe(true)
  expect(states.size).toBeGreaterThan(2)
})

it('a log that ends in zeros, as after a power failure, is read up to its last complete entry', async () => {
  const bytes = readFileSync(log())
  writeFileSync(log(), Buffer.concat([bytes, Buffer.alloc(3000)]))
  expect((await stateOf()).state).toBe(filled.state)

  const zeros = Buffer.concat([bytes.subarray(0, bytes.length - 700), Buffer.alloc(700)])
  writeFileSync(log(), zeros)
  expect((await stateOf()).state).toBe(filled.stateBeforeLastEntry)
})

it('a snapshot that is cut off gives a sentence', async () => {
  truncateSync(snapshot(), statSync(snapshot()).size - 1)
  await expect(stateOf()).rejects.toThrow(/is damaged at byte \d+: the file ends within an entry\. Restore/)
})

it('the command that the sentence about a damaged log names drops the entry and all later ones', async () => {
  const bytes = readFileSync(log())
  bytes[bytes.length - 1] ^= 1
  writeFileSync(log(), bytes)
  const error = await stateOf().catch((thrown: unknown) => thrown)
  const [, size, path] = /truncate -s (\d+) (\S+)$/.exec((error as Error).message)!
  truncateSync(path, Number(size))
  expect((await stateOf()).state).toBe(filled.stateBeforeLastEntry)
})

describe('a folder', () => {
  it('of a newer format is refused with one sentence', async () => {
    const bytes = readFileSync(log())
    encodeFileHeader('log', Number(/\d+$/.exec(log())![0]), 2).copy(bytes)
    writeFileSync(log(), bytes)
    await expect(stateOf()).rejects.toThrow(
      /has format 2, which a newer version of the emulator wrote; this version reads format 1\./
    )
  })

  it('without one of its files is refused', async () => {
    rmSync(log())
    await expect(stateOf()).rejects.toThrow(/The data file \S+log-\d+ is missing\./)
  })

  it('whose files were swapped is refused', async () => {
    const bytes = readFileSync(log())
    writeFileSync(log(), readFileSync(snapshot()))
    await expect(stateOf()).rejects.toThrow(/its header is not that of log \d+/)
    writeFileSync(log(), bytes)
  })

  it('with a folder in the place of a log is refused', async () => {
    const path = log()
    rmSync(path)
    mkdirSync(path)
    await expect(stateOf()).rejects.toThrow(/log-\d+ has the name of a data file, but is no file\. Move it away/)
  })

  it('that is a file is refused', async () => {
    const path = join(folder, 'file')
    writeFileSync(path, '')
    await expect(stateOf(path)).rejects.toThrow(
      `The data folder ${path} cannot be opened: it is a file. Name another folder.`
    )
  })
})
