import type { LiveReport } from '../live-report.ts'

/** A part of the page that shows one thing; `update` gets the state every second. */
export interface View {
  readonly element: HTMLElement
  readonly update: (report: LiveReport) => void
}
