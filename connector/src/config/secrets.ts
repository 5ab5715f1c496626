import * as z from 'zod'
import type { Secret, SinkSettings } from './settings.ts'

const HIDDEN = '[secret]'

/** Wraps a secret, so that it is said only where it is asked for. */
export function createSecret(text: string): Secret {
  return new HiddenText(text)
}

/** Tells a secret from other settings. */
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

/** A text that is wrapped as soon as it is read; `writeOnly` marks it in the schema. */
export function secret(says: string): z.ZodType<Secret | undefined, string | undefined> {
  return z
    .string()
    .min(1)
    .transform(createSecret)
    .optional()
    .meta({ title: 'secret', writeOnly: true, description: `${says} Best as a reference: \`\${env:NAME}\` or \`\${file:path}\`.` })
}

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
