import { describe, expect, it } from 'vitest'
import { watchCredentials } from '../src/run-service.ts'
import { VirtualClock } from './simulation/virtual-clock.ts'

describe('the secret files of a process', () => {
  it('are read every 30 seconds until it ends, and a change is logged', async () => {
    const { clock, lines, ending, watching } = begin([false, true, false])

    await clock.runUntil(29_999)
    expect(lines).toEqual([])
    await clock.runUntil(100_000)
    expect(lines).toEqual(['drives: read', 'drives: read', 'drives: changed', 'drives: read'])
    ending.abort()
    await watching
    expect(clock.pending).toBe(0)
  })

  it('are read again after one could not be read, and each reason is logged once', async () => {
    const gone = new Error('key: there is no such file')
    const { clock, lines } = begin([gone, gone, true, gone])

    await clock.runUntil(120_000)

    expect(lines.filter((line) => !line.endsWith(' read'))).toEqual([
      'drives: kept: key: there is no such file',
      'drives: changed',
      'drives: kept: key: there is no such file'
    ])
  })
})

function begin(results: (boolean | Error)[]) {
  const clock = new VirtualClock()
  const lines: string[] = []
  const ending = new AbortController()
  const rereadCredentials = async (): Promise<boolean> => {
    lines.push('drives: read')
    const result = results.shift() ?? false
    if (typeof result === 'boolean') return result
    throw result
  }
  const watching = watchCredentials([{ name: 'drives', rereadCredentials }, { name: 'without-files' }], {
    clock,
    logOf: (name) => ({
      info: () => void lines.push(`${name}: changed`),
      warn: (_, sentence) => void lines.push(`${name}: kept: ${sentence.split('credentials: ')[1]}`)
    }),
    signal: ending.signal
  })
  return { clock, lines, ending, watching }
}
