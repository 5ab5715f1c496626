import { describe, expect, it, test } from 'vitest'
import { runCommand } from '../run-command.ts'
import { capacity, RAISE } from './run-capacity.ts'

describe('the text of keystamp capacity', () => {
  const args = [
    '--writes',
    '5000/s',
    '--ttl',
    '7d',
    '--gb',
    '40',
    '--partitions',
    '1',
    '--from',
    '9000',
    '--to',
    '15000'
  ]

  test.each([
    [60, 60],
    [80, 80],
    [120, 100],
    [undefined, 100]
  ])('with a terminal of %s columns has lines of at most %i characters', async (outputColumns, most) => {
    const { stdout } = await runCommand(['capacity', ...args], outputColumns === undefined ? {} : { outputColumns })

    const widths = withoutColors(stdout)
      .split('\n')
      .map((line) => line.length)
    expect(Math.max(...widths)).toBeLessThanOrEqual(Math.max(most, 67))
    expect(Math.max(...widths)).toBeGreaterThan(most - 12)
  })

  it('has colors only on a terminal, and only if they are not switched off', async () => {
    const onTerminal = await runCommand(['capacity', ...RAISE], { outputColumns: 100 })
    const without = await runCommand(['capacity', ...RAISE], { outputColumns: 100, env: { NO_COLOR: '1' } })
    const inPipe = await capacity(...RAISE)

    expect(onTerminal.stdout).toContain('\u001b[1mRaising')
    expect(without.stdout).toBe(inPipe.stdout)
    expect(withoutColors(onTerminal.stdout)).toBe(inPipe.stdout)
  })
})

function withoutColors(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the escape character begins a color
  return text.replaceAll(/\u001b\[\d+m/g, '')
}
