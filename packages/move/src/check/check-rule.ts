import type {
  BackPromise,
  CheckFinding,
  DeletePromise,
  FindingCode,
  KeyChangePromise,
  MoveEstimate,
  Severity
} from './move-check.ts'
import type { MoveFacts } from './move-facts.ts'

/** Facts, and what was computed from them. */
export interface CheckContext {
  readonly facts: MoveFacts
  readonly deletes: DeletePromise
  readonly keyChanges: KeyChangePromise
  readonly back: BackPromise
  readonly estimate: MoveEstimate
}

/** Makes a finding, or undefined if there is nothing to say. */
export type CheckRule = (context: CheckContext) => CheckFinding | undefined

export function finding(code: FindingCode, severity: Severity, sentence: string, remedy: string): CheckFinding {
  return { code, severity, sentence, remedy }
}
