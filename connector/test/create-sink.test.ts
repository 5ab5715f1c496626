import { expect, it } from 'vitest'
import type { SinkSettings } from '../src/config/settings.ts'
import { createSink } from '../src/sink.ts'

it.each<[string, unknown]>([
  ['a configuration as it is written', { name: 'x', kafka: { brokers: ['localhost:9092'], topics: ['t'] } }],
  ['the settings of a whole process', { sinks: [], warnings: [] }],
  ['nothing, as where `sinks` has no such entry', undefined]
])('refuses %s with a sentence that names what it takes', (_title, settings) => {
  expect(() => createSink(settings as SinkSettings)).toThrow(
    expect.objectContaining({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('one of the `sinks` that readConfig returns')
    })
  )
})
