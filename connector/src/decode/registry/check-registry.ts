import { KeystampError } from '@keystamp/core'

import type { RegistrySettings } from '../../config/settings.ts'
import { createAsk } from './ask.ts'

/** Throws what stands in the way of asking a registry: its address, its state, or our credentials. */
export async function checkRegistry(settings: RegistrySettings, fetch: typeof globalThis.fetch = globalThis.fetch): Promise<void> {
  // no schema has this id: every registry says so, and only a registry does
  const answer = await createAsk(settings, fetch)('/schemas/ids/0', new AbortController().signal)
  if (answer.kind === 'silent') throw new KeystampError('CONFIG_INVALID', `No schema can be fetched: ${answer.reason}.`)
}
