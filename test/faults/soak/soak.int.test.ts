import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { appendRun, planRuns, readRuns, type SoakRun, summarize } from './results.ts'

const RUN: SoakRun = {
  scenario: 'frozen',
  seed: 1,
  commit: 'abc',
  seconds: 12.4,
  outcome: 'passed',
  lateRequests: 0,
  wrong: []
}

describe('the results of a soak', () => {
  let folder: string
  let file: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'keystamp-soak-'))
    file = join(folder, 'soak.jsonl')
  })

  afterEach(() => rmSync(folder, { recursive: true }))

  it('are read as they were written, without a line that was cut off', () => {
    appendRun(file, RUN)
    writeFileSync(file, '{"scenario":"fro', { flag: 'a' })
    appendRun(file, { ...RUN, seed: 2 })

    expect(readRuns(file)).toEqual([RUN, { ...RUN, seed: 2 }])
  })

  it('are empty if the file does not exist', () => {
    expect(readRuns(file)).toEqual([])
  })
})

describe('the plan of a soak', () => {
  it('has seed 1 of all scenarios before seed 2, and no run that already has a result, whatever its outcome', () => {
    const done = [RUN, { ...RUN, seed: 2, outcome: 'failed' as const }]

    expect(planRuns(['frozen', 'rejoin'], 2, done)).toEqual([
      { scenario: 'rejoin', seed: 1 },
      { scenario: 'rejoin', seed: 2 }
    ])
    expect(planRuns(['frozen', 'rejoin'], 1, [])).toEqual([
      { scenario: 'frozen', seed: 1 },
      { scenario: 'rejoin', seed: 1 }
    ])
  })
})

describe('the summary of a soak', () => {
  it('counts the runs of each scenario, and prints the violations', () => {
    const runs: readonly SoakRun[] = [
      RUN,
      { ...RUN, seed: 2, lateRequests: 3, seconds: 20 },
      { ...RUN, scenario: 'rejoin', outcome: 'failed', wrong: ['a held 1', 'b held 2'] },
      { ...RUN, scenario: 'rejoin', seed: 2, outcome: 'broken', wrong: ['Error: no broker'] }
    ]

    expect(summarize(runs).split('\n')).toEqual([
      'scenario  runs  passed  failed  broken  late requests  median s  longest s',
      'frozen       2       2       0       0              3        20         20',
      'rejoin       2       0       1       1              0        12         12',
      'rejoin, seed 1, commit abc: failed: a held 1; b held 2',
      'rejoin, seed 2, commit abc: broken: Error: no broker'
    ])
  })
})
