import { createTelemetryLine } from './telemetry-line.ts'
import { damage } from './damage.ts'
import { createDice } from './dice.ts'
import { createHostileDocument } from './hostile-document.ts'
import { createJudge } from './judge.ts'
import { TORTURE_PLANS } from './torture-plan.ts'
import { createTwinJudge, TWIN_PLANS } from './twin-judge.ts'

export interface TortureReport {
  readonly documents: number
  readonly mutants: number
  /** Mutants that were still valid and got a key. */
  readonly survivors: number
  readonly complaints: readonly string[]
}

const MUTANTS_PER_DOCUMENT = 20
const MAX_COMPLAINTS = 5

/**
 * Runs the stamper on hostile and on damaged documents, and compares all results with JSON.parse after a strict UTF-8
 * decode.
 */
export function torture(seed: number, mutants: number): TortureReport {
  const dice = createDice(seed)
  const judges = [...TORTURE_PLANS.map(createJudge), ...TWIN_PLANS.map(createTwinJudge)]
  const complaints: string[] = []
  let made = 0
  let documents = 0
  let whole = 0
  while (made < mutants && complaints.length < MAX_COMPLAINTS) {
    const judge = dice.pick(judges)
    const text = dice.chance(judge.usual) ? createTelemetryLine(dice) : createHostileDocument(dice)
    const bytes = new TextEncoder().encode(text)
    const before = judge.accepted()
    check(judge.complaint, bytes)
    documents++
    whole += judge.accepted() - before
    for (let each = 0; each < MUTANTS_PER_DOCUMENT; each++, made++) check(judge.complaint, damage(dice, bytes))
  }
  const accepted = judges.reduce((sum, judge) => sum + judge.accepted(), 0)
  return { documents, mutants: made, survivors: accepted - whole, complaints }

  function check(complaintOf: (bytes: Uint8Array) => string | undefined, bytes: Uint8Array): void {
    const complaint = complaintOf(bytes)
    if (complaint !== undefined)
      complaints.push(`seed ${seed}: ${complaint}\n  ${Buffer.from(bytes).toString('latin1').slice(0, 400)}`)
  }
}
