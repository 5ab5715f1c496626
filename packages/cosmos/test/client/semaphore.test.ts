import { describe, expect, it } from 'vitest'
import { createSemaphore } from '../../src/client/semaphore.ts'

describe('createSemaphore', () => {
  it('never runs more functions at a time than it has permits, and finally runs all of them', async () => {
    const semaphore = createSemaphore(3)
    let running = 0
    let most = 0

    const done = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        semaphore.run(async () => {
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

  it('releases the permit when a function fails', async () => {
    const semaphore = createSemaphore(1)

    await expect(semaphore.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')

    expect(await semaphore.run(() => Promise.resolve('next'))).toBe('next')
  })
})
