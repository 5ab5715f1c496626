import { isKeystampError } from '@keystamp/core'
import { type RegistryHandle, startRegistry } from '@keystamp/testkit'
import { describe, expect, it } from 'vitest'
import { createDecoder } from '../../../src/decode/create-decoder.ts'
import { checkRegistry } from '../../../src/decode/registry/check-registry.ts'
import { framed, recordOf, settingsOf, shown } from '../decoding.ts'
import { ANN, ANN_JSON, PERSON } from '../person.ts'
import { SETTINGS } from './registry-of.ts'

describe('a registry on the network', () => {
  it('is waited for while it is down, and asked when it is back', async () => {
    await withRegistry(async (registry) => {
      const id = registry.register('people-value', JSON.stringify(PERSON))
      const settings = { ...settingsOf({ format: 'registry' }), registry: { ...SETTINGS, url: registry.url } }
      const decoder = createDecoder(settings)
      registry.down(true)

      const answer = decoder.decode(recordOf(framed(id, ANN)))
      await until(() => decoder.waitingFor?.endsWith('answers with status 503') === true)
      registry.down(false)

      expect(shown(await answer)).toEqual({ json: ANN_JSON, key: null })
      decoder.close()
    })
  })

  it('can be checked before the first record', async () => {
    const address = await withRegistry(async ({ url, down }) => {
      await checkRegistry({ ...SETTINGS, url })
      await expect(checkRegistry({ ...SETTINGS, url: `${url}/elsewhere` })).rejects.toThrow('as no schema registry does')
      down(true)
      await expect(checkRegistry({ ...SETTINGS, url })).rejects.toThrow('503')
      return url
    })

    const error = await checkRegistry({ ...SETTINGS, url: address }).catch((thrown: unknown) => thrown)
    expect(isKeystampError(error)).toBe(true)
    expect(error).toHaveProperty('message', expect.stringContaining(`the schema registry at ${address} cannot be reached (`))
  })
})

async function withRegistry<T>(use: (registry: RegistryHandle) => Promise<T>): Promise<T> {
  const registry = await startRegistry()
  try {
    return await use(registry)
  } finally {
    await registry.stop()
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5))
}
