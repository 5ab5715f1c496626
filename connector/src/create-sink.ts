import { KeystampError } from '@keystamp/core'
import type { SinkSettings } from './config/settings.ts'
import { assembleSink } from './assemble-sink.ts'
import { defaultDependencies, type SinkDependencies } from './dependencies.ts'
import type { Sink } from './sink.ts'

/** Makes a sink of one of the `sinks` that `readConfig` gives: topics in, documents out. Nothing is connected before `start`. `changes` stand in for parts of the machine, as tests need it. */
export function createSink(settings: SinkSettings, changes: Partial<SinkDependencies> = {}): Sink {
  // a configuration as it is written, or all that readConfig gives, has neither its defaults nor its checks behind it
  if (settings?.rejects === undefined || settings.kafka === undefined) {
    throw new KeystampError(
      'CONFIG_INVALID',
      'createSink takes one of the `sinks` that readConfig gives; what it was given is none of them.'
    )
  }
  return assembleSink(settings, { ...defaultDependencies(settings, changes.log), ...changes })
}
