import type { OpenMoveStatus } from '@keystamp/move'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { barOfMove, lineOfMove } from '../../src/rekey/progress-line.ts'
import { statusText } from '../../src/rekey/status-text.ts'

const RANGE = { latest: null, versions: null, versionsAt: null, sessionToken: null, documents: 0 }
const STATUS: OpenMoveStatus = {
  phase: 'copy',
  phaseAt: '2026-03-01T12:00:00.000Z',
  step: 'copying',
  stepAt: '2026-03-01T12:00:00.000Z',
  copy: {
    ranges: [true, false, false].map((isCopied, at) => ({
      ...RANGE,
      range: { min: `${at}`, max: `${at + 1}` },
      isCopied
    })),
    isCopied: false,
    caughtUpMs: 0,
    readToEndMs: 0,
    counts: { stored: 1_200_000, deleted: 3, superseded: 0, expiring: 0 },
    pausedFor: undefined
  },
  lagSeconds: 0.2,
  rejected: 0,
  compared: undefined,
  gates: [],
  stragglers: 0,
  deletes: 'feed',
  versions: null,
  waits: [],
  warnings: [],
  progress: {
    copied: 1_234_567,
    documents: 3_000_000,
    documentsPerSecond: 812,
    secondsLeft: 2174,
    ruPerSecond: { from: 301.4, to: 7990 },
    shareRuPerSecond: { from: 3000, to: 8000 },
    comparison: null
  },
  at: '2026-03-01T12:30:00.000Z',
  from: 'fleet/drives at my-account.documents.azure.com',
  to: 'fleet/drives-2 at my-account.documents.azure.com',
  ownRanges: null,
  part: 1,
  chargedRu: { from: 1_234_567, to: 9_876_543 },
  throttled: { from: 0, to: 12 },
  failure: null
}
const FOLLOWING: OpenMoveStatus = { ...STATUS, phase: 'follow', progress: { ...STATUS.progress, secondsLeft: null } }
const WAIT = {
  reason: 'source',
  since: '2026-03-01T12:10:05.000Z',
  detail: 'Cosmos DB answered 503. '.repeat(9)
} as const

describe('the progress of a move', () => {
  it.each([
    [80, 'copy 41 % of 3,000,000 documents  36:14 left  target 7,990/8,000 RU/s'],
    [
      120,
      '█████░░░░░░░░  copy 41 % of 3,000,000 documents  36:14 left  1/3 ranges  target 7,990/8,000 RU/s  source 301/3,000 RU/s'
    ]
  ])('at %i columns has documents, time left, and the throughput of the container that limits it', (columns, text) => {
    expect(barOfMove(STATUS, columns)).toBe(text)
  })

  it('begins with the wait, and since when', () => {
    const status = { ...FOLLOWING, waits: [WAIT], lagSeconds: 63 }
    expect(barOfMove(status, 80)).toMatch(/^follow {2}waits since 12:10:05: the source does not answer {2}lag 63\.0 s/)
  })

  it('shows how far a comparison is, of the documents of both containers', () => {
    const comparison = { phase: 'counting', documents: 2_000_000, waiting: 0 } as const
    const status = { ...FOLLOWING, progress: { ...FOLLOWING.progress, comparison } }
    expect(barOfMove(status, 80)).toMatch(/^follow {2}comparing: 2,000,000\/6,000,000 documents {2}lag 0\.2 s/)
  })

  it('is the number of copied documents if the size of the source is not known', () => {
    const status = { ...STATUS, progress: { ...STATUS.progress, documents: null, secondsLeft: null } }
    expect(lineOfMove(status)).toMatch(/^copy {2}1,234,567 documents {2}1\/3 ranges {2}target 7,990\/8,000 RU\/s/)
  })

  it('and the status never have a line that wraps', () => {
    const statuses = fc.record({
      phase: fc.constantFrom('copy', 'follow', 'switch', 'reverse', 'back'),
      waits: fc.constantFrom([], [WAIT]),
      warnings: fc.constantFrom([], ['A sentence that says what needs a decision of a person. '.repeat(3).trim()]),
      part: fc.constantFrom(1, 1 / 32),
      rejected: fc.constantFrom(0, 12_345),
      lagSeconds: fc.constantFrom(undefined, 0.1, 1e6),
      gates: fc.constantFrom(
        [],
        [{ name: 'lag' as const, isMet: false, reason: 'The lag of the copy is too large. '.repeat(4) }]
      ),
      progress: fc.record({
        copied: fc.nat(2e9),
        documents: fc.option(fc.nat(2e9)),
        documentsPerSecond: fc.nat(1e6),
        secondsLeft: fc.option(fc.nat(1e7)),
        ruPerSecond: fc.record({ from: fc.nat(1e7), to: fc.nat(1e7) }),
        shareRuPerSecond: fc.record({ from: fc.option(fc.nat(1e7)), to: fc.option(fc.nat(1e7)) }),
        comparison: fc.option(
          fc.record({ phase: fc.constantFrom('counting', 'settling'), documents: fc.nat(4e9), waiting: fc.nat(1e4) })
        )
      })
    })
    fc.assert(
      fc.property(statuses, fc.integer({ min: 60, max: 200 }), (change, columns) => {
        const status = { ...STATUS, ...change } as OpenMoveStatus
        expect(barOfMove(status, columns).length).toBeLessThan(columns)
        const output = { stdout: { isTTY: true, columns } as never, env: {} }
        for (const line of statusText(status, '123', Date.parse(status.at), output).split('\n'))
          expect(line.length).toBeLessThanOrEqual(columns)
      })
    )
  })
})
