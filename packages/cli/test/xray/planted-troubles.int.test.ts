import type { XrayReport } from '@keystamp/planner'
import { afterEach, describe, expect, it } from 'vitest'
import { runCommand } from '../run-command.ts'
import { plant, type Planted, randomOf, TROUBLES } from './planted.ts'

/** `npm run prove:xray` runs all 20. */
const SEEDS = Array.from({ length: Number(process.env['KEYSTAMP_XRAY_SEEDS'] ?? 1) }, (_, index) => index + 1)

let planted: Planted | undefined

afterEach(async () => {
  await planted?.emulator.stop()
  planted = undefined
})

async function xray(args: readonly string[] = []) {
  const command = ['xray', planted!.container, '--max-ru', '1000000', '--sample', '100', '--json', ...args]
  const { code, stdout, stderr } = await runCommand(command)
  if (stdout === '') throw new Error(stderr)
  return { code, report: JSON.parse(stdout) as XrayReport }
}

const cases = TROUBLES.flatMap((trouble) => SEEDS.map((seed) => ({ ...trouble, seed })))

describe('keystamp xray of a container that was built to have a trouble', () => {
  it.each(cases)('finds $name with its number, seed $seed', async ({ name, plant: plot, seed }) => {
    const { truth, args, ...rest } = plot(randomOf(seed, name), true)
    planted = await plant({ ...rest, truth })

    const { code, report } = await xray(args)

    expect(report.findings.map((finding) => finding.name)).toContain(name)
    const finding = report.findings.find((each) => each.name === name)!
    const tolerance = finding.unit === 'share' ? 0.05 : finding.unit === 'GB' ? 0.1 : 0
    expect(Math.abs(finding.value - truth)).toBeLessThanOrEqual(tolerance * truth)
    expect(finding.reason).not.toBe('')
    expect(finding.remedy).not.toBe('')
    expect(report.checks.find((check) => check.name === name)).toMatchObject({ state: 'found', value: finding.value })
    expect(code).toBe(4)
  })
})

describe('keystamp xray of a container that was built to come close to a trouble', () => {
  it.each(cases)('finds nothing in the container without $name, seed $seed', async ({ name, plant: plot, seed }) => {
    const { args, ...rest } = plot(randomOf(seed, name), false)
    planted = await plant(rest)

    const { code, report } = await xray(args)

    expect(report.findings).toEqual([])
    expect(report.verdict.kind).toBe('healthy')
    expect(code).toBe(0)
  })
})
