import { createRequire } from 'node:module'
import { aSecondACall } from './sdk-defects/a-second-a-call.ts'
import type { Defect } from './sdk-defects/defect.ts'
import { endsTheProcess } from './sdk-defects/ends-the-process.ts'
import { hangs } from './sdk-defects/hangs.ts'
import { olderValueKept } from './sdk-defects/older-value-kept.ts'
import { passingErrors } from './sdk-defects/passing-errors.ts'
import { serialWaits } from './sdk-defects/serial-waits.ts'
import { shareOfBudget } from './sdk-defects/share-of-budget.ts'

export const question =
  'How do `executeBulkOperations` of the official client and the writer behave under heavy writes?'

const DEFECTS: readonly Defect[] = [
  aSecondACall,
  serialWaits,
  olderValueKept,
  passingErrors,
  hangs,
  endsTheProcess,
  shareOfBudget
]

/** Shows each defect on this machine, with an emulator without latency. */
export async function run(report: (line: string) => void): Promise<void> {
  const { version } = createRequire(import.meta.url)('@azure/cosmos/package.json') as { version: string }
  const sdk = `@azure/cosmos ${version}`
  const ours = 'the writer'
  const width = Math.max(sdk.length, ours.length)
  for (const { title, show } of DEFECTS) {
    report(`  ${title}`)
    const shown = await show()
    report(`    ${sdk.padEnd(width)}   ${shown.sdk}${shown.isSeen ? '' : '   (no longer seen)'}`)
    report(`    ${ours.padEnd(width)}   ${shown.ours}`)
  }
}
