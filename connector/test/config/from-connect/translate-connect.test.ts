import { isKeystampError } from '@keystamp/core'
import { expect, test } from 'vitest'
import { translateConnect } from '../../../src/config/from-connect/translate-connect.ts'

test.each([
  ['not JSON', 'it is not JSON'],
  ['[]', 'it is not a JSON object'],
  ['{}', 'its connector.class is missing'],
  ['{"connector.class":"FileStreamSink"}', 'its connector.class is FileStreamSink']
])('a configuration of Kafka Connect with the text %s is refused: %s', (text, why) => {
  const error = errorOf(() => translateConnect(text))

  expect(isKeystampError(error) && error.code).toBe('CONFIG_INVALID')
  expect((error as Error).message).toContain(why)
})

function errorOf(work: () => unknown): unknown {
  try {
    work()
    return undefined
  } catch (error) {
    return error
  }
}
