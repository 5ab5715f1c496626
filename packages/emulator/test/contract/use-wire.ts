import type { EmulatorOptions } from '@keystamp/emulator'
import { afterAll, beforeAll } from 'vitest'
import { openWire, type Wire } from './wire.ts'

/** A client that no single test stops. */
export type SharedWire = Omit<Wire, 'stop'>

/** Connects to the endpoint under test before the first test of a file, and disconnects after the last one. */
export function useWire(options: EmulatorOptions = {}): SharedWire {
  let opened: Wire
  beforeAll(async () => {
    opened = await openWire(options)
  })
  afterAll(() => opened.stop())
  return {
    get endpoint() {
      return opened.endpoint
    },
    get key() {
      return opened.key
    },
    get emulator() {
      return opened.emulator
    },
    get database() {
      return opened.database
    },
    call: (method, path, asked) => opened.call(method, path, asked),
    container: (definition, headers) => opened.container(definition, headers)
  }
}
