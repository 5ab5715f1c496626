import { describe, expect, it } from 'vitest'
import { startRedis } from '../src/redis.ts'

describe('startRedis', () => {
  it('takes the Redis that it is told of, and leaves it alone', async () => {
    expect(await startRedis({ REDIS_URL: 'redis://redis.example:6379' })).toMatchObject({
      url: 'redis://redis.example:6379'
    })
  })
})
