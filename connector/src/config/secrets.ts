import * as z from 'zod'
import type { Secret, SinkSettings } from './settings.ts'

const HIDDEN = '[secret]'

/** Wraps a secret: only `reveal` returns it; strings, JSON and inspection show a placeholder. */
export function createSecret(text: string): Secret {
  return new HiddenText(text)
}

/** Whether a setting is a secret. */
function isSecret(value: object): value is Secret {
  return value instanceof HiddenText
}

class HiddenText implements Secret {
  #text: string

  constructor(text: string) {
    this.#text = text
  }

  readonly reveal = (): string => this.#text

  readonly replace = (text: string): void => {
    this.#text = text
  }

  toString(): string {
    return HIDDEN
  }

  toJSON(): string {
    return HIDDEN
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return HIDDEN
  }
}

/** Schema of a secret. Parsing wraps the string at once; `writeOnly` marks it in JSON Schema. */
export function secret(says: string): z.ZodType<Secret | undefined, string | undefined> {
  return z
    .string()
    .min(1)
    .transform(createSecret)
    .optional()
    .meta({
      title: 'secret',
      writeOnly: true,
      description: `${says} Best as a reference: \`\${env:NAME}\` or \`\${file:path}\`.`
    })
}

/**
 * Copies the credentials of `fresh` into `settings`, in place: secrets that are revealed later have the new value.
 * Returns whether any of them has changed.
 */
export function replaceCredentials(settings: SinkSettings, fresh: SinkSettings): boolean {
  // the secret of a mask makes the keys of documents, so it stays until the next start
  let isChanged = replaceSecrets({ ...settings, shape: undefined }, fresh)
  const { tls } = settings.kafka
  // certificates are not secrets, but are rotated together with their keys
  if (typeof tls === 'object' && typeof fresh.kafka.tls === 'object') {
    const { ca, cert } = fresh.kafka.tls
    isChanged ||= tls.ca !== ca || tls.cert !== cert
    Object.assign(tls, { ca, cert })
  }
  return isChanged
}

function replaceSecrets(settings: unknown, fresh: unknown): boolean {
  if (typeof settings !== 'object' || settings === null || typeof fresh !== 'object' || fresh === null) return false
  if (isSecret(settings)) {
    const text = isSecret(fresh) ? fresh.reveal() : settings.reveal()
    const isChanged = text !== settings.reveal()
    settings.replace(text)
    return isChanged
  }
  // all of them, also after a change
  const changes = Object.entries(settings).map(([name, value]) =>
    replaceSecrets(value, (fresh as Readonly<Record<string, unknown>>)[name])
  )
  return changes.includes(true)
}
