import type { ComparedEntry, Phase } from '../journal/journal.ts'
import { othersSentence } from './gates.ts'

/**
 * A step that a user asks for. `switch`: the target becomes the container in charge. `back`: the source does again.
 * `finish`: ends the move with the target in charge. `abort`: ends it with the source in charge. `compare`: compares now.
 */
export type MoveCommand = 'switch' | 'back' | 'finish' | 'abort' | 'compare'

/** Phases in which a command is possible. */
const POSSIBLE: Readonly<Record<MoveCommand, readonly Phase[]>> = {
  switch: ['follow'],
  back: ['reverse'],
  finish: ['reverse'],
  abort: ['copy', 'follow'],
  compare: ['follow', 'reverse']
}

export function isMoveCommand(command: string): command is MoveCommand {
  return Object.hasOwn(POSSIBLE, command)
}

/** Reason why a command is not possible in a phase; undefined if it is. */
export function refusalOf(command: MoveCommand, phase: Phase): string | undefined {
  const phases = POSSIBLE[command]
  if (phases.includes(phase)) return undefined
  return `\`${command}\` is possible in the phase ${phases.join(' or ')}, and this move is in the phase ${phase}.`
}

/** Sentence after the end of a move. */
export function endOf(command: 'finish' | 'abort', source: string, target: string): string {
  return command === 'finish'
    ? `The move is finished. ${source} is not changed any more, and can be deleted.`
    : `The move is aborted. ${source} is in charge, and ${target} can be deleted.`
}

/** Result of `compare`. */
export function resultOfComparison(compared: ComparedEntry | undefined): {
  readonly isDone: boolean
  readonly message: string
} {
  if (compared === undefined) return { isDone: false, message: 'The containers were not compared.' }
  const { isEqual, differences, ofOthers = 0 } = compared
  if (isEqual && differences === 0) return { isDone: true, message: 'The containers are equal.' }
  if (isEqual) {
    const were = differences === 1 ? '1 document differed, and was' : `${differences} documents differed, and were`
    return { isDone: true, message: `${were} copied again. The containers are equal now.` }
  }
  const found = differences === 1 ? '1 document differs' : `${differences} documents differ`
  if (ofOthers > 0) return { isDone: false, message: `${found}. ${othersSentence(ofOthers)}` }
  return { isDone: false, message: `${found}. The next comparison begins when they have been read again.` }
}
