import { inspect } from 'node:util'
import { createPlan, type Plan } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { CosmosError } from '../../src/client/cosmos-error.ts'
import { refused, rejected, written } from '../../src/dispatch/outcome.ts'
import { prepare } from '../../src/writer/prepare.ts'

const PLAN = createPlan({ into: '/pk', from: [{ field: '/day' }] }, { requireId: true }) as Plan
const PREPARATION = { keys: PLAN, definition: { paths: ['/pk'], version: 2 as const }, canExpire: true }

describe('an outcome', () => {
  it('of a record that was never sent has no status', () => {
    const outcome = prepare(PREPARATION, { kind: 'upsert', record: { id: 'a' } }, () => {})

    expect(Object.keys(outcome).toSorted()).toEqual(['chargeRu', 'code', 'kind', 'message', 'path'])
    expect(inspect(outcome)).not.toContain('undefined')
  })

  it('of an operation that the writer refuses without sending it has neither status nor path', () => {
    expect(inspect(rejected('OPERATION_INVALID'))).not.toContain('undefined')
  })

  it('of an operation that Cosmos DB refuses has the status and the sub-status of the response', () => {
    expect(refused({ statusCode: 412, requestCharge: 1 }, 'PRECONDITION_FAILED', [])).not.toHaveProperty('subStatus')
    expect(refused({ statusCode: 403, subStatusCode: 1014, requestCharge: 1 }, 'PARTITION_FULL', [])).toMatchObject({
      status: 403,
      subStatus: 1014
    })
  })

  it('of a delete has no etag', () => {
    expect(written({ statusCode: 204, requestCharge: 6 })).not.toHaveProperty('etag')
    expect(written({ statusCode: 200, requestCharge: 6, eTag: '"1"' })).toHaveProperty('etag', '"1"')
  })
})

describe('CosmosError', () => {
  it('has only properties whose values are known', () => {
    const bare = new CosmosError('COSMOS_UNAVAILABLE', 'No answer.')
    const answered = new CosmosError('COSMOS_UNAVAILABLE', 'Throttled.', {
      statusCode: 429,
      subStatus: 0,
      retryAfterMs: 0,
      activityId: 'a'
    })

    for (const name of ['statusCode', 'subStatus', 'retryAfterMs', 'activityId'])
      expect(Object.hasOwn(bare, name)).toBe(false)
    expect({ ...answered }).toMatchObject({ statusCode: 429, subStatus: 0, retryAfterMs: 0, activityId: 'a' })
  })
})
