import { WELL_KNOWN_KEY as EMULATOR_KEY } from '@keystamp/emulator'
import { expect, it } from 'vitest'
import { findCredentials } from '../../src/load/find-credentials.ts'

it('takes the key that the emulator takes for an endpoint on this machine', async () => {
  expect(await findCredentials('http://127.0.0.1:8081/', {})).toEqual({ key: EMULATOR_KEY })
})
