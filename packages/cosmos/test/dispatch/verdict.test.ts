import { describe, expect, it } from 'vitest'
import { type Verdict, verdictOnOperation, verdictOnRequest } from '../../src/dispatch/verdict.ts'

type Row = readonly [status: number, subStatus: number, operation: Verdict['kind'], request: Verdict['kind']]

const ROWS: readonly Row[] = [
  [200, 0, 'done', 'fatal'],
  [201, 0, 'done', 'fatal'],
  [204, 0, 'done', 'fatal'],
  [400, 0, 'rejected', 'divide'],
  [400, 1001, 'rejected', 'divide'],
  [400, 1024, 'moved', 'moved'],
  [401, 0, 'rejected', 'unauthorized'],
  [403, 0, 'unauthorized', 'unauthorized'],
  [403, 5301, 'unauthorized', 'unauthorized'],
  [403, 9999, 'fatal', 'fatal'],
  [403, 3, 'endpoint', 'endpoint'],
  [403, 1008, 'endpoint', 'endpoint'],
  [403, 1014, 'rejected', 'rejected'],
  [404, 0, 'rejected', 'missing'],
  [404, 1003, 'missing', 'missing'],
  [404, 1013, 'again', 'again'],
  [408, 0, 'again', 'again'],
  [409, 0, 'rejected', 'fatal'],
  [409, 3301, 'rejected', 'fatal'],
  [410, 0, 'again', 'again'],
  [410, 1000, 'moved', 'moved'],
  [410, 1002, 'moved', 'moved'],
  [410, 1007, 'moved', 'moved'],
  [410, 1008, 'moved', 'moved'],
  [412, 0, 'rejected', 'fatal'],
  [413, 0, 'rejected', 'divide'],
  [413, 3402, 'again', 'divide'],
  [424, 0, 'rejected', 'fatal'],
  [429, 3200, 'throttled', 'throttled'],
  [449, 0, 'again', 'again'],
  [500, 0, 'again', 'again'],
  [502, 0, 'again', 'again'],
  [503, 0, 'again', 'again'],
  [504, 0, 'again', 'again'],
  [418, 0, 'rejected', 'fatal']
]

describe('an answer', () => {
  for (const [status, subStatus, operation, request] of ROWS) {
    it(`with ${status}/${subStatus} means ${operation} for one operation and ${request} for a whole request`, () => {
      expect(verdictOnOperation(status, subStatus).kind).toBe(operation)
      expect(verdictOnRequest(status, subStatus).kind).toBe(request)
    })
  }

  it('is classified for every status', () => {
    for (let status = 200; status < 600; status++) {
      for (const subStatus of [0, 1000, 1002, 1007, 3200, 9999]) {
        expect(verdictOnOperation(status, subStatus).kind).toBeTypeOf('string')
        expect(verdictOnRequest(status, subStatus).kind).toBeTypeOf('string')
      }
    }
  })

  it('with 429 delays the range, the key, or the whole endpoint, according to its sub-status', () => {
    expect(verdictOnOperation(429, 3200)).toEqual({ kind: 'throttled', scope: 'range' })
    expect(verdictOnOperation(429, 3214)).toEqual({ kind: 'throttled', scope: 'key' })
    expect(verdictOnRequest(429, 3201)).toEqual({ kind: 'throttled', scope: 'endpoint' })
    expect(verdictOnOperation(429, 4711)).toEqual({ kind: 'throttled', scope: 'range' })
  })

  it('with 408 or 5xx means that the write may have been applied', () => {
    for (const status of [408, 500, 502, 503, 504])
      expect(verdictOnRequest(status, 0)).toEqual({ kind: 'again', isAmbiguous: true })
    expect(verdictOnOperation(449, 0)).toEqual({ kind: 'again', isAmbiguous: false })
    expect(verdictOnOperation(413, 3402)).toEqual({ kind: 'again', isAmbiguous: true })
  })
})
