import { readFileSync } from 'node:fs'
import type { RunHook } from '@keystamp/move'
import { describe, expect, it } from 'vitest'
import { createHooks } from '../../src/rekey/hooks.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

const FACTS = { from: 'fleet/drives at a.example', to: 'fleet/drives-2 at a.example', direction: 'forward' } as const

describe('the hooks of a move', () => {
  const path = useTemporaryFolder()

  it('get facts in their environment', async () => {
    const ran = await run(`echo "$KEYSTAMP_HOOK $KEYSTAMP_DIRECTION $KEYSTAMP_TO" > ${path('facts')}`)
    expect(ran).toStrictEqual({ isDone: true })
    expect(readFileSync(path('facts'), 'utf8')).toBe('before forward fleet/drives-2 at a.example\n')
  })

  it('tell the end of what they printed when they fail', async () => {
    expect(await run(`yes no | head -c 999999; echo the end; exit 3`)).toStrictEqual({
      isDone: false,
      reason: expect.stringMatching(/^it ended with exit code 3\. It printed: ".{150,200} the end"\.$/)
    })
  })

  it('end at their time limit with all processes that they wait for', async () => {
    expect(await run(`sleep 60; echo late > ${path('late')}`, { timeoutMs: 200 })).toStrictEqual({
      isDone: false,
      reason: 'it took longer than 0.2 s.'
    })
  })

  it('do not wait for what they leave in the background', async () => {
    const started = performance.now()
    expect(await run(`sleep 8 & echo $! > ${path('pid')}`)).toStrictEqual({ isDone: true })
    expect(performance.now() - started).toBeLessThan(5000)
    // it goes on
    process.kill(Number(readFileSync(path('pid'), 'utf8')), 'SIGTERM')
  })

  it('end when the switch is called off', async () => {
    const ending = new AbortController()
    const ran = run('sleep 60; true', {}, ending.signal)
    setTimeout(() => ending.abort(), 200)
    expect(await ran).toStrictEqual({ isDone: false, reason: 'it was interrupted.' })
  })

  function run(before: string, { timeoutMs = 20_000 } = {}, signal?: AbortSignal): ReturnType<RunHook> {
    return createHooks({ before }, { journal: path('journal'), timeoutMs, env: process.env })('before', FACTS, signal)
  }
})
