import { type DestinationStream, pino } from 'pino'
import type { ServiceSettings } from './config/settings.ts'

/** Log of one sink: structured fields, then a sentence. Never holds a payload, a key or a secret. */
export interface Log {
  readonly info: (fields: object, sentence: string) => void
  /** Something unexpected that loses nothing. */
  readonly warn: (fields: object, sentence: string) => void
  /** Something that an operator has to act on. */
  readonly error: (fields: object, sentence: string) => void
}

/** Creates a log of JSON lines. It has lines for operators only, none for single records. */
export function createLog(
  { level }: ServiceSettings['log'],
  destination?: DestinationStream
): { readonly forSink: (name: string) => Log } {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) }
  }
  const logger = destination === undefined ? pino(options) : pino(options, destination)
  return {
    forSink: (name) => {
      const child = logger.child({ sink: name })
      return {
        info: (facts, sentence) => child.info(facts, sentence),
        warn: (facts, sentence) => child.warn(facts, sentence),
        error: (facts, sentence) => child.error(facts, sentence)
      }
    }
  }
}
