import { KeystampError } from '@keystamp/core'
import { type ConfigPath, pathText } from './config-path.ts'

/** One mistake in a configuration. */
export interface ConfigMistake {
  readonly path: ConfigPath
  /** Line and column in the file, from 1; undefined where the value is not in the file. */
  readonly position: SourcePosition | undefined
  /** Environment variable that the value came from. */
  readonly variable: string | undefined
  /** The mistake and its remedy, without a subject: `must be a string, not a number`. */
  readonly message: string
}

export interface SourcePosition {
  readonly line: number
  readonly column: number
}

/** A configuration that cannot be used, with all of its mistakes. */
export class ConfigError extends KeystampError {
  readonly mistakes: readonly ConfigMistake[]

  constructor(name: string, mistakes: readonly ConfigMistake[]) {
    const lines = mistakes.map((mistake) => `  ${mistakeText(name, mistake)}`)
    super('CONFIG_INVALID', `${name} has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}:\n${lines.join('\n')}`)
    this.name = 'ConfigError'
    this.mistakes = mistakes
  }
}

/** Formats a mistake: `sink.yaml:3:5 kafka.brokers must be a list, not a string`. */
function mistakeText(name: string, { path, position, variable, message }: ConfigMistake): string {
  const where = variable ?? (position === undefined ? name : `${name}:${position.line}:${position.column}`)
  return `${where} ${path.length === 0 ? '' : `${pathText(path)} `}${message}`
}
