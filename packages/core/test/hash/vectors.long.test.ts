import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { evenLabels } from '../../src/hash/even-labels.ts'
import { hashHex } from '../../src/hash/murmur128.ts'
import { murmur32 } from '../../src/hash/murmur32.ts'

interface SuffixVectors {
  readonly suffixes: readonly { text: string; murmur32: number; murmur128: string; slots: Record<string, number> }[]
}

interface LabelVectors {
  readonly labels: readonly { prefix: string; count: number; hashVersion: 1 | 2; labels: number[] }[]
}

const folder = new URL('../../../../docs/vectors/', import.meta.url)
const { suffixes }: SuffixVectors = JSON.parse(readFileSync(new URL('suffixes.json', folder), 'utf8'))
const { labels }: LabelVectors = JSON.parse(readFileSync(new URL('labels.json', folder), 'utf8'))

describe('the published vectors', () => {
  // checks L15
  it.each(suffixes)('hold for the hashes and the slots of "$text"', ({ text, murmur32: hash, murmur128, slots }) => {
    expect(murmur32(text)).toBe(hash)
    expect(hashHex(text)).toBe(murmur128)
    for (const [count, slot] of Object.entries(slots))
      expect(1 + Math.floor((murmur32(text) * Number(count)) / 2 ** 32)).toBe(slot)
  })

  it.each(labels)(
    'hold for the $count even labels of "$prefix" in version $hashVersion',
    ({ prefix, count, hashVersion, labels: wanted }) => {
      expect([...evenLabels(prefix, count, hashVersion)]).toEqual(wanted)
    }
  )
})

describe('the reference reader in Python', () => {
  const script = fileURLToPath(new URL('keystamp.py', folder))
  const run = (...options: string[]): { status: number | null; stdout: string; stderr: string } =>
    spawnSync('python3', [script, ...options], { encoding: 'utf8', timeout: 20_000 })
  const isThere = spawnSync('python3', ['--version']).status === 0
  if (!isThere) console.warn('SKIPPED: the reference reader in docs/vectors was not run, because there is no python3.')

  it.skipIf(!isThere)('computes every published vector (skipped without python3)', () => {
    const { status, stdout, stderr } = run()

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(Number(/^(\d+) checked, 0 wrong/.exec(stdout)?.[1])).toBeGreaterThan(700)
  })

  it.skipIf(!isThere)('fails and prints the vector that differs (skipped without python3)', () => {
    const wrong = mkdtempSync(join(tmpdir(), 'vectors-'))
    try {
      const rows = [{ values: ['a'], definition: { version: 2 }, epk: '00' }]
      writeFileSync(join(wrong, 'epk.json'), JSON.stringify({ hashes: rows }))

      const { status, stderr } = run(wrong)

      expect(status).toBe(1)
      expect(stderr).toContain("epk.json, row 0: '3A5381E1114EB8D3FCC90795045B49B7' instead of '00'")
    } finally {
      rmSync(wrong, { recursive: true })
    }
  })
})
