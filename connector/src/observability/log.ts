import { type DestinationStream, pino } from 'pino'
import type { ServiceSettings } from '../config/settings.ts'
import type { Log } from '../surroundings.ts'

/** Writes a line of JSON for each thing that an operator should know; nothing for each record. */
export function createLog({ level }: ServiceSettings['log'], destination?: DestinationStream): { readonly forSink: (name: string) => Log } {
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
