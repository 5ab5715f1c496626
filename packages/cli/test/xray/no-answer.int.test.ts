import { describe, expect, it } from 'vitest'
import { runCommand } from '../run-command.ts'

describe('keystamp xray without an answer', () => {
  it.each([
    ['a terminal', true],
    ['a log', false]
  ])('says within seconds what it waits for, and since when, on %s', async (_title, isTTY) => {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), 5000)
    const begin = new Date().toISOString().slice(11, 19)

    const { stderr } = await runCommand(['xray', 'http://127.0.0.1:1/d/c'], { isTTY, signal: controller.signal })
    clearTimeout(timer)

    const [, since, reason] = /keystamp: retrying since (\S+) UTC: (.*)\n/.exec(stderr)!
    expect(since >= begin).toBe(true)
    expect(reason).toContain('No answer from Cosmos DB to reading the account http://127.0.0.1:1/ (ECONNREFUSED).')
    expect(stderr.match(/retrying since/g)).toHaveLength(1)
  })
})
