import { describe, expect, it } from 'vitest'
import { errorOfAnswer, errorOfSdk, errorWithoutAnswer } from '../../src/client/cosmos-error.ts'

describe('errorOfAnswer', () => {
  it.each([
    [401, 0, 'COSMOS_UNAUTHORIZED', false],
    [403, 0, 'COSMOS_UNAUTHORIZED', false],
    [403, 5301, 'COSMOS_UNAUTHORIZED', false],
    [403, 3, 'COSMOS_UNAVAILABLE', true],
    [403, 1008, 'COSMOS_UNAVAILABLE', true],
    [404, 0, 'CONTAINER_MISSING', false],
    [404, 1003, 'CONTAINER_MISSING', false],
    [400, 0, 'COSMOS_REFUSED', false],
    [408, 0, 'COSMOS_UNAVAILABLE', true],
    [410, 1002, 'COSMOS_UNAVAILABLE', true],
    [429, 3200, 'COSMOS_UNAVAILABLE', true],
    [503, 0, 'COSMOS_UNAVAILABLE', true],
    [599, 0, 'COSMOS_REFUSED', false]
  ])('maps the status and sub-status %i/%i to %s', (status, subStatus, code, retriable) => {
    const error = errorOfAnswer('reading the container c', { status, subStatus, retryAfterMs: 7 })

    expect(error).toMatchObject({ code, retriable, statusCode: status, subStatus, retryAfterMs: 7 })
    expect(error.message).toContain('reading the container c')
    expect(error.message).toContain(String(status))
  })
})

describe('errorOfSdk', () => {
  it('reads the status from the properties of an SDK error', () => {
    expect(errorOfSdk('asking', { code: 429, substatus: 3210, retryAfterInMs: 12 })).toMatchObject({
      subStatus: 3210,
      retryAfterMs: 12
    })
  })

  it('reports a missing response if there is no status', () => {
    expect(errorOfSdk('asking', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))).toMatchObject({
      code: 'COSMOS_UNAVAILABLE',
      retriable: true,
      message: expect.stringContaining('ECONNREFUSED')
    })
  })
})

describe('errorWithoutAnswer', () => {
  it('returns an existing error unchanged', () => {
    const first = errorOfAnswer('asking', { status: 401, subStatus: 0 })

    expect(errorWithoutAnswer('asking again', first)).toBe(first)
  })
})
