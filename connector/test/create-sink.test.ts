import { expect, it } from 'vitest'
import type { SinkSettings } from '../src/config/settings.ts'
import { createSink } from '../src/sink.ts'

it.each<[string, unknown]>([
  [
    'a configuration that readConfig has not read',
    { name: 'x', kafka: { brokers: ['localhost:9092'], topics: ['t'] } }
  ],
  ['the settings of a whole process', { sinks: [], warnings: [] }],
  ['undefined, as for a missing entry of `sinks`', undefined]
])('createSink refuses %s with a sentence that names the expected argument', (_title, settings) => {
  expect(() => createSink(settings as SinkSettings)).toThrow(
    expect.objectContaining({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('one of the `sinks` that readConfig returns')
    })
  )
})
