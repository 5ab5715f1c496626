import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '@keystamp/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSpool, openLines } from '../../src/replay/line-file.ts'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'keystamp-lines-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe('a temporary file of lines', () => {
  it('returns each line by its position, in any order, and leaves no file', () => {
    const folder = temporaryFolder()
    const random = createRandom(5)
    const spool = createSpool(folder)
    // lines of more than the read-ahead, and more parts than windows
    const lines = Array.from({ length: 3000 }, (_, n) => {
      const line = Buffer.from(`${n}:${'x'.repeat(n % 500 === 7 ? 100_000 : random.below(900))}\n`)
      return { line, at: spool.append(line) }
    })
    const parts = Array.from({ length: 100 }, (_, part) => lines.filter((_line, n) => n % 100 === part)).flat()
    for (const order of [lines, parts, lines.toReversed(), lines.toSorted(() => random.below(3) - 1)])
      for (const { line, at } of order) expect(spool.read(at, line.length).equals(line)).toBe(true)
    expect(readdirSync(folder)).toEqual([])
    spool.close()
  })
})

describe('a file of lines', () => {
  it('has its lines as they were when it was opened, and a last line without an end', async () => {
    const path = join(temporaryFolder(), 'lines')
    const texts = Array.from({ length: 40 }, (_, n) => 'y'.repeat(n * 5000))
    writeFileSync(path, texts.join('\n'))
    const file = openLines(path)
    const found: string[] = []
    for await (const { bytes, at, number } of file.lines()) {
      found.push(bytes.toString())
      expect(file.read(at, bytes.length).equals(bytes)).toBe(true)
      expect(number).toBe(found.length)
    }
    expect(found).toEqual(texts)
    file.close()
  })
})
