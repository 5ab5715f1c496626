import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { KeystampError } from '@keystamp/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Identity } from '../../src/documents/identity.ts'
import { openFileTargetIndex } from '../../src/target-index/file-target-index.ts'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keystamp-index-'))
})

afterEach(() => rm(folder, { recursive: true }))

const SEGMENT_BYTES = 600
const COUNT = 20

function source(number: number): Identity {
  return { id: `id-${number}`, key: [number] }
}

/** Writes entries, each in a frame of its own, and returns the paths of the files. */
async function fill(): Promise<readonly string[]> {
  const index = openFileTargetIndex(folder, { segmentBytes: SEGMENT_BYTES })
  for (let number = 0; number < COUNT; number++) await index.add(source(number), { id: 'a', key: ['b'.repeat(40)] })
  await index.close()
  return (await readdir(folder)).toSorted().map((name) => join(folder, name))
}

/** Number of the first entries that are there, without gaps; opening may fail. */
async function entries(): Promise<number> {
  const index = openFileTargetIndex(folder, { segmentBytes: SEGMENT_BYTES })
  const found = await Promise.all(Array.from({ length: COUNT }, (_, number) => index.find(source(number))))
  await index.close()
  const count = found.filter((targets) => targets.length > 0).length
  expect(found.slice(0, count).every((targets) => targets.length === 1)).toBe(true)
  return count
}

function refusal(): string {
  try {
    openFileTargetIndex(folder)
  } catch (error) {
    const { code, message } = error as KeystampError
    return code === 'JOURNAL_INVALID' ? message : code
  }
  return 'none'
}

describe('the last file', () => {
  test('may end at any byte: what was written before is there', async () => {
    const paths = await fill()
    const last = paths.at(-1)!
    const whole = await readFile(last)
    let before = COUNT
    for (let length = whole.length; length >= 0; length--) {
      await writeFile(last, whole.subarray(0, length))
      const found = await entries()
      expect(found).toBeLessThanOrEqual(before)
      expect(found).toBeGreaterThanOrEqual(before - 1)
      before = found
    }
    const index = openFileTargetIndex(folder, { segmentBytes: SEGMENT_BYTES })
    await index.add(source(before), source(0))
    await index.close()
    expect(await entries()).toBe(before + 1)
  })

  test('may end with zeros, which the disk has in place of what it never got', async () => {
    const last = (await fill()).at(-1)!
    await truncate(last, (await readFile(last)).length + 3000)
    expect(await entries()).toBe(COUNT)
    expect((await readFile(last)).includes(Buffer.alloc(100))).toBe(false)
  })
})

test('frames in another order are damaged', async () => {
  const [first] = await fill()
  const whole = await readFile(first)
  const frameBytes = whole.readUInt32LE(16) & 0xf_ffff
  const [one, two] = [whole.subarray(16, 16 + frameBytes), whole.subarray(16 + frameBytes, 16 + 2 * frameBytes)]
  await writeFile(first, Buffer.concat([whole.subarray(0, 16), two, one, whole.subarray(16 + 2 * frameBytes)]))
  expect(refusal()).toContain(`${first} of the identity index is damaged at byte 16`)
})

describe('a file with another byte', () => {
  test('anywhere but in what was written last is damaged', async () => {
    const paths = await fill()
    expect(paths.length).toBeGreaterThan(2)
    for (const path of paths) {
      const whole = await readFile(path)
      const end = path === paths.at(-1) ? whole.length - 100 : whole.length
      for (let at = 0; at < end; at += 7) {
        const other = Buffer.from(whole)
        other[at] ^= 4
        await writeFile(path, other)
        expect(refusal()).toMatch(
          /^The file \S+entries-\d+ of the identity index is damaged at byte \d+\. Restore the folder from a copy/
        )
      }
      await writeFile(path, whole)
    }
    expect(await entries()).toBe(COUNT)
  })
})

test('a file that ends early, but is not the last one, is damaged', async () => {
  const [first] = await fill()
  await truncate(first, (await readFile(first)).length - 5)
  expect(refusal()).toContain(`${first} of the identity index is damaged at byte`)
})

test('a file that is missing between others is refused', async () => {
  const [, second] = await fill()
  await rm(second)
  expect(refusal()).toContain(`The file ${second} of the identity index is missing. Restore the folder`)
})

test('a file in the place of another one is damaged', async () => {
  const [first, second] = await fill()
  await writeFile(second, await readFile(first))
  expect(refusal()).toContain(`${second} of the identity index is damaged at byte 0`)
})

test('a file of a newer version is refused', async () => {
  const [first] = await fill()
  const bytes = await readFile(first)
  bytes.write('INDEXES2', 0, 'latin1')
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 12)), 12)
  await writeFile(first, bytes)
  expect(refusal()).toBe(`The file ${first} is of a newer version of Keystamp. Continue the move with that version.`)
})

test('an index that has to exist, but has no files, is refused', async () => {
  for (const path of [folder, join(folder, 'other')])
    expect(() => openFileTargetIndex(path, { mustExist: true })).toThrow(
      `The identity index ${path} is missing. Restore`
    )
  await fill()
  await openFileTargetIndex(folder, { mustExist: true, segmentBytes: SEGMENT_BYTES }).close()
})

test('a file in place of the folder is refused', async () => {
  const path = join(folder, 'file')
  await writeFile(path, '')
  expect(() => openFileTargetIndex(path)).toThrow(`The identity index ${path} cannot be read`)
})
