import { KeystampError } from '@keystamp/core'

import type { RegistrySettings } from '../../config/settings.ts'
import { createAsk } from './ask.ts'
import { httpGet } from './http-get.ts'

/** Throws what stands in the way of asking a registry: its address, its state, or the credentials. */
export async function checkRegistry(settings: RegistrySettings): Promise<void> {
  // no schema has this id: every registry says so, and only a registry does
  const answer = await createAsk(settings, httpGet)('/schemas/ids/0', new AbortController().signal)
  if (answer.kind === 'silent') throw new KeystampError('CONFIG_INVALID', `No schema can be fetched: ${answer.reason}.`)
}
