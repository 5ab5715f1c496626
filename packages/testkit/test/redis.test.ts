import { describe, expect, it } from 'vitest'
import { startRedis } from '../src/redis.ts'

describe('startRedis', () => {
  it('uses the Redis server in REDIS_URL', async () => {
    expect(await startRedis({ REDIS_URL: 'redis://redis.example:6379' })).toMatchObject({
      url: 'redis://redis.example:6379'
    })
  })
})
