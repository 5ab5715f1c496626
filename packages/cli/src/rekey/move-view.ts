import type { OpenMoveStatus } from '@keystamp/move'
import type { Dependencies } from '../dependencies.ts'
import type { RekeyOptions } from './rekey-options.ts'
import { barOfMove, lineOfMove } from './progress-line.ts'
import { statusText } from './status-text.ts'

/**
 * Output while a move runs: a line for each step, and a line of progress, which a terminal shows all the time. Elsewhere
 * there is one every minute while documents are copied or compared.
 */
export interface MoveView {
  readonly step: (sentence: string) => void
  readonly warn: (sentence: string) => void
  readonly show: (status: OpenMoveStatus) => void
  readonly end: (status: OpenMoveStatus) => void
}

export function createMoveView({ quiet }: RekeyOptions, dependencies: Dependencies): MoveView {
  const { stdout, stderr } = dependencies
  let shownMs = Date.now()
  const isLive = stderr.isTTY === true && quiet !== true
  const clear = (): void => {
    if (isLive) stderr.write('\r\u001B[K')
  }
  const line = (text: string): void => {
    clear()
    if (quiet !== true) stderr.write(`keystamp: ${text}\n`)
  }
  return {
    step: line,
    warn: (sentence) => {
      clear()
      stderr.write(`keystamp: warning: ${sentence}\n`)
    },
    show: (status) => {
      if (isLive) stderr.write(`\r\u001B[K${barOfMove(status, stderr.columns ?? 80)}`)
      if (isLive || quiet === true || Date.now() - shownMs < LOGGED_MS) return
      if (status.phase !== 'copy' && status.progress.comparison === null) return
      shownMs = Date.now()
      line(lineOfMove(status))
    },
    end: (status) => {
      clear()
      stdout.write(statusText(status, undefined, Date.parse(status.at), dependencies))
    }
  }
}

/** Time between two lines of progress in a log. */
const LOGGED_MS = 60_000
