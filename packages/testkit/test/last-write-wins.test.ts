import { describe, expect, it } from 'vitest'
import { judgeApplied, judgeStored, type MarkedDocument, type ReportedWrite } from '../src/last-write-wins.ts'

const upsert = (mark: number, reported: ReportedWrite['reported'] = 'applied'): ReportedWrite => ({
  mark,
  kind: 'upsert',
  reported
})

describe('the check of a stored document', () => {
  it.each<[string, readonly ReportedWrite[], MarkedDocument | undefined]>([
    ['the last of several writes', [upsert(1), upsert(2)], { mark: 2, sum: 0 }],
    ['a missing document if nothing was written', [], undefined],
    [
      'a document with the sum of its patches',
      [upsert(1), { mark: 2, kind: 'patch', reported: 'applied' }],
      { mark: 1, sum: 2 }
    ],
    ['a missing document after a delete', [upsert(1), { mark: 2, kind: 'delete', reported: 'applied' }], undefined],
    [
      'a missing document after a delete that found no document',
      [upsert(1), { mark: 2, kind: 'delete', reported: 'gone' }],
      undefined
    ],
    [
      'the first of two creates',
      [
        { mark: 1, kind: 'create', reported: 'applied' },
        { mark: 2, kind: 'create', reported: 'refused' }
      ],
      { mark: 1, sum: 0 }
    ],
    ['a write that superseded an earlier write', [upsert(1, 'superseded'), upsert(2)], { mark: 2, sum: 0 }],
    ['the state before a write with an unknown outcome', [upsert(1), upsert(2, 'unknown')], { mark: 1, sum: 0 }],
    ['the state after a write with an unknown outcome', [upsert(1), upsert(2, 'unknown')], { mark: 2, sum: 0 }],
    [
      'the state before a refused write if refusals are allowed',
      [upsert(1), { ...upsert(2, 'refused'), isRefusable: true }],
      { mark: 1, sum: 0 }
    ]
  ])('accepts %s', (_, writes, stored) => {
    expect(judgeStored('d', writes, stored)).toEqual([])
  })

  it.each<[string, readonly ReportedWrite[], MarkedDocument | undefined, RegExp]>([
    ['an older value', [upsert(1), upsert(2)], { mark: 1, sum: 0 }, /holds \{"mark":1/],
    ['a lost document', [upsert(1)], undefined, /holds undefined/],
    [
      'a document that was deleted',
      [upsert(1), { mark: 2, kind: 'delete', reported: 'applied' }],
      { mark: 1, sum: 0 },
      /holds \{"mark":1/
    ],
    [
      'a patch that was applied twice',
      [upsert(1), { mark: 2, kind: 'patch', reported: 'applied' }],
      { mark: 1, sum: 4 },
      /"sum":4/
    ],
    [
      'a patch that was lost',
      [upsert(1), { mark: 2, kind: 'patch', reported: 'applied' }],
      { mark: 1, sum: 0 },
      /"sum":0/
    ],
    ['a superseded write', [upsert(1), upsert(2, 'superseded')], { mark: 2, sum: 0 }, /holds \{"mark":2/],
    [
      'a successful create of an existing document',
      [upsert(1), { mark: 2, kind: 'create', reported: 'applied' }],
      { mark: 2, sum: 0 },
      /2, a create, cannot be applied/
    ],
    [
      'a successful replace of a missing document',
      [{ mark: 1, kind: 'replace', reported: 'applied' }],
      { mark: 1, sum: 0 },
      /1, a replace, cannot be applied/
    ],
    [
      'an upsert that was refused without a reason',
      [upsert(1, 'refused')],
      undefined,
      /1, a upsert, cannot be refused/
    ],
    ['an upsert that is reported as a delete of a missing document', [upsert(1, 'gone')], undefined, /cannot be gone/]
  ])('reports a violation for %s', (_, writes, stored, complaint) => {
    expect(judgeStored('d', writes, stored).join('\n')).toMatch(complaint)
  })
})

describe('the check of applied writes', () => {
  it('accepts marks that ascend or repeat', () => {
    expect(judgeApplied('d', [1, 2, 2, 5])).toEqual([])
  })

  it('reports a violation for a mark after a higher mark', () => {
    expect(judgeApplied('d', [1, 3, 2])).toEqual(['d: 2 was applied after 3'])
  })
})
