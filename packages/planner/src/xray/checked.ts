import type { CheckName, Finding } from '../report/xray-report.ts'

/** Result of one check. `findings` may be several, such as several hot keys; the first has the number of the check. */
export type Checked =
  | { readonly state: 'unseen' }
  | {
      readonly state: 'clear' | 'found'
      /** Null if there is nothing to measure, such as a share that moves where nothing moves. */
      readonly value: number | null
      /** If it depends on the container. */
      readonly threshold?: number
      readonly findings: readonly FoundTrouble[]
    }

/** A finding without what the table of checks says. */
export type FoundTrouble = Omit<Finding, 'name' | 'title' | 'unit'>

export type CheckResults = Readonly<Record<CheckName, Checked>>

export const UNSEEN: Checked = { state: 'unseen' }

export function clear(value: number | null, threshold?: number): Checked {
  return { state: 'clear', value, findings: [], ...(threshold === undefined ? {} : { threshold }) }
}

export function found(findings: readonly FoundTrouble[], threshold?: number): Checked {
  return { state: 'found', value: findings[0].value, findings, ...(threshold === undefined ? {} : { threshold }) }
}
