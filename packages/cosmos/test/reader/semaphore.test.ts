import { describe, expect, it } from 'vitest'
import { createRoom } from '../../src/reader/semaphore.ts'

describe('createRoom', () => {
  it('never lets more go on than it has places, and lets all go on in the end', async () => {
    const room = createRoom(3)
    let running = 0
    let most = 0

    const done = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        room.run(async () => {
          running += 1
          most = Math.max(most, running)
          await new Promise((resolve) => setImmediate(resolve))
          running -= 1
          return index
        })
      )
    )

    expect(most).toBe(3)
    expect(done).toHaveLength(20)
  })

  it('gives the place back when the work fails', async () => {
    const room = createRoom(1)

    await expect(room.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')

    expect(await room.run(() => Promise.resolve('next'))).toBe('next')
  })
})
