import type { OpenMoveStatus } from '@keystamp/move'
import type { Dependencies } from '../dependencies.ts'
import type { RekeyOptions } from './rekey-options.ts'
import { statusText } from './status-text.ts'

/** Output while a move runs: a line for each step, and a line of progress on a terminal. */
export interface MoveView {
  readonly step: (sentence: string) => void
  readonly warn: (sentence: string) => void
  readonly show: (status: OpenMoveStatus) => void
  readonly end: (status: OpenMoveStatus) => void
}

export function createMoveView({ quiet }: RekeyOptions, { stdout, stderr }: Dependencies): MoveView {
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
      if (isLive) stderr.write(`\r\u001B[K${progressLine(status).slice(0, (stderr.columns ?? 80) - 1)}`)
    },
    end: (status) => {
      clear()
      stdout.write(statusText(status, undefined, Date.parse(status.at)))
    }
  }
}

function progressLine({ copy, lagSeconds, part, step }: OpenMoveStatus): string {
  if (copy === undefined) return step
  const copied = copy.ranges.filter(({ isCopied }) => isCopied).length
  const behind = lagSeconds === undefined ? '' : `  lag ${lagSeconds.toFixed(1)} s`
  const share = part < 1 ? `  ${Math.round(part * 100)}% of the share` : ''
  const paused = copy.pausedFor === undefined ? '' : `  paused: ${copy.pausedFor}`
  return `${copy.counts.stored.toLocaleString('en-US')} documents  ${copied}/${copy.ranges.length} ranges${behind}${share}${paused}`
}
