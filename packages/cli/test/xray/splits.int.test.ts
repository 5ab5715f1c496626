import type { XrayReport } from '@keystamp/planner'
import { afterEach, expect, it } from 'vitest'
import { runCommand } from '../run-command.ts'
import { plant, type Planted, randomOf, TROUBLES } from './planted.ts'

let planted: Planted | undefined

afterEach(async () => {
  await planted?.emulator.stop()
  planted = undefined
})

it('keystamp xray goes on after a split, counts the writes for the parent, and says so', async () => {
  const plot = TROUBLES.find(({ name }) => name === 'many-keys-in-one-range')!.plant(randomOf(1, 'hot-key'), true)
  let isRunning = false
  let split: Promise<readonly string[]> | undefined
  const log = (line: string): void => {
    // the list of physical partitions was read
    if (isRunning && line.includes('/pkranges ')) split ??= planted!.emulator.split('d', 'c', '2')
  }
  planted = await plant({ ...plot, options: { ...plot.options, log } })
  isRunning = true

  const args = ['xray', planted.container, '--max-ru', '1000000', '--sample', '100', '--json']
  const { stdout, stderr } = await runCommand(args)

  expect(stderr).toBe('')
  const report = JSON.parse(stdout) as XrayReport
  const children = await split!
  expect(report.ranges.map(({ id }) => id)).toEqual(['0', '1', '2', '3'])
  expect(report.unseen).toContainEqual({
    what: `physical partitions ${children.join(' and ')}`,
    why: 'Physical partition 2 was split into them during the run. The report counts their writes for physical partition 2. Run keystamp xray again to see them.',
    checks: []
  })
  const finding = report.findings.find(({ name }) => name === 'many-keys-in-one-range')!
  expect(finding.value).toBeCloseTo(plot.truth, 6)
})
