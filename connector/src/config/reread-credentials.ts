import { isSecret } from './secret.ts'
import type { SinkSettings } from './settings.ts'

/** Puts the credentials of `fresh` into `settings`, in place: whoever reveals a secret later gets the new text. */
export function replaceCredentials(settings: SinkSettings, fresh: SinkSettings): void {
  replaceSecrets(settings, fresh)
  const { tls } = settings.kafka
  // certificates are no secrets, but are rotated with their keys
  if (typeof tls === 'object' && typeof fresh.kafka.tls === 'object') {
    const { ca, cert } = fresh.kafka.tls
    Object.assign(tls, { ca, cert })
  }
}

function replaceSecrets(settings: unknown, fresh: unknown): void {
  if (typeof settings !== 'object' || settings === null || typeof fresh !== 'object' || fresh === null) return
  if (isSecret(settings)) {
    if (isSecret(fresh)) settings.replace(fresh.reveal())
    return
  }
  for (const [name, value] of Object.entries(settings)) replaceSecrets(value, (fresh as Readonly<Record<string, unknown>>)[name])
}
