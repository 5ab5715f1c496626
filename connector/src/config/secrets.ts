import * as z from 'zod'
import { type ConfigPath, valueAt } from './config-path.ts'
import { nodesAt, type SchemaNode } from './file-schema.ts'
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

/** Where a secret stands in the file itself, and not as a reference. The public key of the emulators is no secret. */
export function clearSecrets(value: unknown, schema: SchemaNode): readonly ConfigPath[] {
  return pathsOf(value, []).filter((path) => {
    const text = valueAt(value, path)
    if (typeof text !== 'string' || partsInClear(text).every(isPublic)) return false
    // the address of Redis is a secret only where a password stands in it
    if (/^rediss?:\/\/[^@]*$/.test(text)) return false
    return nodesAt(schema, path).some(({ writeOnly }) => writeOnly === true)
  })
}

/** The text itself where it holds no reference; else what its references fall back to. */
function partsInClear(text: string): readonly string[] {
  if (!/\$\{\w+:/.test(text)) return [text]
  return [...text.matchAll(/\$\{\w+:[^}]*?:-([^}]+)\}/g)].map(([, fallback]) => fallback)
}

// documented by Microsoft, the same on every machine
const EMULATOR_KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=='

function isPublic(part: string): boolean {
  return part === EMULATOR_KEY || (/\bAccountKey\s*=/i.test(part) && part.includes(EMULATOR_KEY))
}

function pathsOf(value: unknown, path: ConfigPath): readonly ConfigPath[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => pathsOf(each, [...path, index]))
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([name, each]) => pathsOf(each, [...path, name]))
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
