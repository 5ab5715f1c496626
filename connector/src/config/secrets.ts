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

/** Copies the credentials of `fresh` into `settings`, in place: secrets that are revealed later have the new value. */
export function replaceCredentials(settings: SinkSettings, fresh: SinkSettings): void {
  replaceSecrets(settings, fresh)
  const { tls } = settings.kafka
  // certificates are not secrets, but are rotated together with their keys
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
  for (const [name, value] of Object.entries(settings))
    replaceSecrets(value, (fresh as Readonly<Record<string, unknown>>)[name])
}
