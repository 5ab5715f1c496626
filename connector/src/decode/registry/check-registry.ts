import { KeystampError } from '@keystamp/core'

import type { RegistrySettings } from '../../config/settings.ts'
import { createAsk } from './ask.ts'

/** Throws what stands in the way of asking a registry: its address, its state, or our credentials. */
export async function checkRegistry(settings: RegistrySettings, fetch: typeof globalThis.fetch = globalThis.fetch): Promise<void> {
  const answer = await createAsk(settings, fetch)('/schemas/types', new AbortController().signal)
  if (answer.kind === 'silent') throw new KeystampError('CONFIG_INVALID', `No schema can be fetched: ${answer.reason}.`)
}
