import { describe, expect, it } from 'vitest'
import { createLog } from '../src/log.ts'

describe('the log', () => {
  it('writes one line of JSON for each event, with the name of the sink', () => {
    const lines: string[] = []
    const log = createLog({ level: 'info' }, { write: (line) => void lines.push(line) }).forSink('fleet')

    log.warn({ code: 'KAFKA_UNAVAILABLE' }, 'Kafka does not answer.')

    expect(JSON.parse(lines[0])).toMatchObject({
      level: 'warn',
      sink: 'fleet',
      code: 'KAFKA_UNAVAILABLE',
      msg: 'Kafka does not answer.'
    })
  })
})
