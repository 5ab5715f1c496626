import type { SinkSettings } from './config/settings.ts'
import { assembleSink } from './assemble-sink.ts'
import { machineSurroundings } from './machine-surroundings.ts'
import type { Sink } from './sink.ts'
import type { SinkSurroundings } from './surroundings.ts'

/** Makes a sink: topics in, documents out. Nothing is connected before `start`. `changes` stand in for parts of the machine, as tests need it. */
export function createSink(settings: SinkSettings, changes: Partial<SinkSurroundings> = {}): Sink {
  return assembleSink(settings, { ...machineSurroundings(settings, changes.log), ...changes })
}
