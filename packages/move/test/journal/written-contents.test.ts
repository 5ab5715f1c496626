import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { openWrittenContents } from '../../src/journal/written-contents.ts'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

it('the contents that a process was about to write are known to the next one, and those that it has confirmed', async () => {
  const { folder, open } = createFolder()
  const first = open()
  await Promise.all([digestOf(1), digestOf(2)].map((digest) => first.add(digest)))
  first.confirm(digestOf(1))
  expect([1, 2, 3].map((number) => first.has(digestOf(number)))).toStrictEqual([false, true, false])

  // the process ends without closing anything, during a write
  appendFileSync(join(folder, readdirSync(folder)[0]), Buffer.alloc(5))
  const next = open()
  expect([1, 2, 3].map((number) => next.has(digestOf(number)))).toStrictEqual([true, true, false])
  await next.add(digestOf(3))
  await first.close()
  await next.close()
  expect([1, 2, 3].map((number) => open().has(digestOf(number)))).toStrictEqual([true, true, true])
})

it('contents are forgotten some time after the watch has seen their changes', async () => {
  const { folder, open, pass } = createFolder()
  const written = open()
  await written.add(digestOf(1))
  await written.seen()
  pass(40_000)
  await written.add(digestOf(2))
  expect(open().has(digestOf(1))).toBe(true)
  await written.seen()
  pass(40_000)
  await written.add(digestOf(3))
  await written.seen()
  expect([1, 2, 3].map((number) => written.has(digestOf(number)))).toStrictEqual([false, false, true])
  const next = open()
  expect([1, 2, 3].map((number) => next.has(digestOf(number)))).toStrictEqual([false, false, true])
  pass(40_000)
  await next.seen()
  expect(next.has(digestOf(3))).toBe(false)
  expect(readdirSync(folder)).toStrictEqual([])
  await written.close()
})

it('the files do not grow for as long as the changes of others cannot be judged', async () => {
  const { folder, open } = createFolder()
  const written = open(10)
  for (let number = 0; number < 1000; number++) await written.add(digestOf(number))
  await written.close()
  expect(readdirSync(folder).length).toBeLessThanOrEqual(2)
  const next = open()
  expect([0, 970, 999].map((number) => next.has(digestOf(number)))).toStrictEqual([false, false, true])
})

function createFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'keystamp-written-'))
  folders.push(folder)
  let nowMs = 0
  return {
    folder,
    open: (maxContents?: number) =>
      openWrittenContents(folder, { now: () => nowMs, ...(maxContents === undefined ? {} : { maxContents }) }),
    pass: (ms: number) => {
      nowMs += ms
    }
  }
}

function digestOf(number: number): string {
  return number.toString(16).padStart(32, '0')
}
