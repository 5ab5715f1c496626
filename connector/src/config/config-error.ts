import { KeystampError } from '@keystamp/core'
import { type ConfigPath, pathText } from './config-path.ts'

/** Something in a configuration that cannot be used. */
export interface ConfigMistake {
  readonly path: ConfigPath
  /** The line and column it stands at, from 1; undefined where it does not stand in the file. */
  readonly place: Place | undefined
  /** The variable of the environment that it came from. */
  readonly variable: string | undefined
  /** What is wrong and what to do, without a subject: `must be a text, not a number`. */
  readonly message: string
}

export interface Place {
  readonly line: number
  readonly column: number
}

/** A configuration that cannot be used, with every mistake in it. */
export class ConfigError extends KeystampError {
  readonly mistakes: readonly ConfigMistake[]

  constructor(name: string, mistakes: readonly ConfigMistake[]) {
    const lines = mistakes.map((mistake) => `  ${mistakeText(name, mistake)}`)
    super('CONFIG_INVALID', `${name} has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}:\n${lines.join('\n')}`)
    this.name = 'ConfigError'
    this.mistakes = mistakes
  }
}

/** `sink.yaml:3:5 kafka.brokers must be a list, not a text`. */
function mistakeText(name: string, { path, place, variable, message }: ConfigMistake): string {
  const where = variable ?? (place === undefined ? name : `${name}:${place.line}:${place.column}`)
  return `${where} ${path.length === 0 ? '' : `${pathText(path)} `}${message}`
}
