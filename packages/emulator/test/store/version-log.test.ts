import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ImageSource, NewChange, RetainedChange } from '../../src/store/retained-change.ts'
import { VersionLog } from '../../src/store/version-log.ts'

const START = { lsn: 0, sequence: 0 }

interface Written {
  readonly kind: NewChange['kind']
  readonly id: string
  readonly keyText: string
  readonly effectiveKey: string
  readonly current: string
  readonly previous: string
}

const image = (text: string, version: number, timestamp: number): ImageSource | undefined =>
  text === ''
    ? undefined
    : { version, timestamp, length: Buffer.byteLength(text), copyTo: (target, at) => target.write(text, at) }

/** Appends changes, of which each has the LSN and the sequence number after those of the one before. */
function filled(log: VersionLog, written: readonly Written[], timestampOf: (at: number) => number): VersionLog {
  for (const [at, { current, previous, ...change }] of written.entries()) {
    const timestamp = timestampOf(at)
    log.append({
      ...change,
      sequence: at + 1,
      lsn: at + 1,
      timestamp,
      ordinal: at + 0x1_0000_0000,
      previousLsn: at,
      current: image(current, at + 7, timestamp),
      previous: image(previous, at + 8, timestamp + 9)
    })
  }
  return log
}

function plain(change: RetainedChange): Written {
  const { kind, id, keyText, effectiveKey, current, previous } = change
  return { kind, id, keyText, effectiveKey, current: current?.json() ?? '', previous: previous?.json() ?? '' }
}

const text = fc.string({ unit: 'binary', maxLength: 30 }).map((value) => value.toWellFormed())
const change = fc.record<Written>({
  kind: fc.constantFrom('create', 'replace', 'delete', 'expiry'),
  id: text,
  keyText: text,
  effectiveKey: fc.constantFrom('0A', '1F', '20', '3E'),
  current: text,
  previous: text
})
const changes = fc.array(change, { maxLength: 200, size: 'max' })

const one = (n: number, bytes = 20): Written => ({
  kind: 'create',
  id: String(n),
  keyText: '"a"',
  effectiveKey: '0A',
  current: 'x'.repeat(bytes),
  previous: ''
})
const many = (count: number, bytes?: number): Written[] => Array.from({ length: count }, (_, n) => one(n, bytes))

describe('a log of versions', () => {
  it('returns the changes after each position as they were appended, also after it was stored and restored', () => {
    fc.assert(
      fc.property(changes, fc.nat(200), (written, at) => {
        const log = filled(new VersionLog(START), written, () => 5)
        const { lost, chunks } = log.state()
        const restored = VersionLog.restore({ lost, chunks: chunks.map((chunk) => Buffer.from(chunk)) })
        for (const by of ['lsn', 'sequence'] as const) {
          expect([...log.after({ by, at })].map(plain)).toEqual(written.slice(at))
          expect([...restored.after({ by, at })].map(plain)).toEqual(written.slice(at))
        }
      })
    )
  })

  it('keeps the numbers and times of changes and images', () => {
    const [kept] = filled(new VersionLog(START), [{ ...one(1), previous: 'p' }], () => 1_700_000_000).after({
      by: 'lsn',
      at: 0
    })
    const { sequence, lsn, timestamp, ordinal, previousLsn, current, previous } = kept

    expect({ sequence, lsn, timestamp, ordinal, previousLsn }).toEqual({
      sequence: 1,
      lsn: 1,
      timestamp: 1_700_000_000,
      ordinal: 0x1_0000_0000,
      previousLsn: 0
    })
    expect(current).toMatchObject({ version: 7, timestamp: 1_700_000_000, ordinal: 0x1_0000_0000 })
    expect(previous).toMatchObject({ version: 8, timestamp: 1_700_000_009 })
  })

  it('gives each child of a split the changes of its keys, in their order', () => {
    fc.assert(
      fc.property(changes, (written) => {
        const [low, high] = filled(new VersionLog(START), written, () => 5).split(['20', 'FF'])

        expect([...low.after({ by: 'lsn', at: -1 })].map(plain)).toEqual(
          written.filter((kept) => kept.effectiveKey < '20')
        )
        expect([...high.after({ by: 'lsn', at: -1 })].map(plain)).toEqual(
          written.filter((kept) => kept.effectiveKey >= '20')
        )
      })
    )
  })

  it('takes little more memory than the bytes of its changes within the retention', () => {
    const log = filled(new VersionLog(START), many(20_000, 1000), (at) => at)
    const whole = log.bytes
    log.dropBefore(15_000)

    expect(whole).toBeLessThan(20_000 * 1150 + (2 << 20))
    expect(log.bytes).toBeLessThan(5000 * 1150 + (3 << 20))
    expect([...log.after({ by: 'lsn', at: 15_000 })]).toHaveLength(5000)
  })

  it('reports a position as lost if a change after it was dropped, is too old, or was before the log', () => {
    const log = filled(new VersionLog(START), many(5000, 1000), (at) => at)
    const isLost = (at: number, oldest: number): boolean => log.isLost({ by: 'lsn', at }, oldest)

    expect([isLost(0, 0), isLost(0, 1), isLost(9, 10), isLost(10, 10), isLost(5000, 9999)]).toEqual([
      false,
      true,
      true,
      false,
      false
    ])
    log.dropBefore(4000)
    expect([isLost(0, 0), isLost(4000, 0), isLost(4000, 4001)]).toEqual([true, false, true])
    expect(VersionLog.restore(log.state()).isLost({ by: 'lsn', at: 0 }, 0)).toBe(true)
    expect(log.split(['FF'])[0].isLost({ by: 'sequence', at: 0 }, 0)).toBe(true)
    expect(new VersionLog({ lsn: 5, sequence: 9 }).isLost({ by: 'lsn', at: 4 }, 0)).toBe(true)
    expect(new VersionLog({ lsn: 5, sequence: 9 }).isLost({ by: 'sequence', at: 9 }, 0)).toBe(false)
  })
})
