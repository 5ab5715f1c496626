import { KeystampError } from '@keystamp/core'
import { createRequire } from 'node:module'

/** The version whose inner modules are used and replaced here; kafkajs declares none of them. */
const KNOWN_VERSION = '2.2.4'

/** Throws where another version of kafkajs is installed: its inner modules may have changed. */
export function checkKafkajsVersion(version: string = installedVersion()): void {
  if (version === KNOWN_VERSION) return
  throw new KeystampError(
    'INVARIANT_BROKEN',
    `kafkajs ${version} is installed, and this version of Keystamp works with kafkajs ${KNOWN_VERSION} only. Install that version.`
  )
}

function installedVersion(): string {
  return (createRequire(import.meta.url)('kafkajs/package.json') as { readonly version: string }).version
}
