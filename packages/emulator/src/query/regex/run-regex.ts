import { maxMatchSteps } from '../limits.ts'
import { wrongQuery } from '../query-error.ts'
import type { Step } from './regex-program.ts'

/** True when the pattern matches anywhere in the text. All ways are followed at once, so that no pattern makes it slow. */
export function runRegex(program: readonly Step[], text: string): boolean {
  return new Run(program, [...text]).isMatch()
}

class Run {
  readonly #program: readonly Step[]
  readonly #characters: readonly string[]
  /** The last place where each step was entered. */
  readonly #entered: Int32Array
  #stepsLeft: number

  constructor(program: readonly Step[], characters: readonly string[]) {
    this.#program = program
    this.#characters = characters
    this.#stepsLeft = maxMatchSteps(characters.length)
    this.#entered = new Int32Array(program.length).fill(-1)
  }

  isMatch(): boolean {
    let starts: number[] = []
    for (let at = 0; at <= this.#characters.length; at++) {
      starts.push(0)
      const ready = this.#follow(starts, at)
      if (ready === 'match') return true
      starts = this.#advance(ready, this.#characters[at])
    }
    return false
  }

  // gives the character steps that can be reached from here without reading
  #follow(starts: readonly number[], at: number): number[] | 'match' {
    const ready: number[] = []
    const open = [...starts]
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (this.#entered[index] === at) continue
      this.#entered[index] = at
      this.#count()
      const step = this.#program[index]
      if (step.kind === 'match') return 'match'
      if (step.kind === 'character') ready.push(index)
      else if (step.kind === 'jump') open.push(step.to)
      else if (step.kind === 'split') open.push(step.second, step.first)
      else if (step.test(this.#characters[at - 1], this.#characters[at])) open.push(index + 1)
    }
    return ready
  }

  #advance(ready: readonly number[], character: string | undefined): number[] {
    if (character === undefined) return []
    const isOn = (index: number): boolean => (this.#program[index] as Step & { kind: 'character' }).test(character)
    return ready.filter(isOn).map((index) => index + 1)
  }

  #count(): void {
    if (--this.#stepsLeft < 0) throw wrongQuery('REGEXMATCH takes too many steps; use a simpler pattern or a shorter text')
  }
}
