/**
 * Severity of a note. `refused`: change the configuration by hand first, or documents would differ. `changed`: works,
 * but differently. `needless`: nothing to do.
 */
export interface Note {
  readonly kind: 'refused' | 'changed' | 'needless'
  /** Key of Kafka Connect; empty for the configuration as a whole. */
  readonly key: string
  /** The action to take, or why there is none. */
  readonly message: string
}

/** Configuration of the sink while it is being translated, with the notes about it. */
export interface Draft {
  name: string
  kafka: {
    brokers?: readonly string[]
    topics?: readonly string[]
    topicPattern?: string
    group?: string
    [key: string]: unknown
  }
  key?: string
  value?: string | { readonly format: 'debezium'; readonly encoding: 'registry' }
  /** Whether a transform replaced changes by their rows. */
  isChangeData?: boolean
  /** Whether a step of the shape drops tombstones. */
  dropsTombstones?: boolean
  shape?: readonly object[]
  registry?: Record<string, string>
  numbers?: Record<string, string>
  cosmos: Record<string, unknown>
  id?: Record<string, string>
  write: Record<string, unknown>
  rejects?: Record<string, unknown>
}

export interface Translating {
  readonly draft: Draft
  readonly refuse: (key: string, message: string) => void
  readonly change: (key: string, message: string) => void
  readonly needless: (key: string, message: string) => void
}

/**
 * Rewrites the references in a value of Kafka Connect. Keeps references to environment variables and to files with a
 * single value; replaces every other reference by an environment variable.
 */
export function toReference(
  key: string,
  value: string,
  variable: string,
  { change }: Pick<Translating, 'change'>
): string {
  return value.replaceAll(/\$\{(\w+):([^}]*)\}/g, (whole, provider: string, rest: string) => {
    if (provider === 'env') return `\${env:${rest.replace(/^:/, '')}}`
    const [folder, file] = rest.split(':')
    if (provider === 'dir' && file !== undefined) return `\${file:${folder}/${file}}`
    change(
      key,
      `${whole.slice(0, provider.length + 2)}...} is looked up by a config provider of the worker: put its value into the variable ${variable}`
    )
    return `\${env:${variable}}`
  })
}

/** Replaces a secret by a reference. The secret itself is never copied. */
export function toSecretReference(
  key: string,
  value: string,
  variable: string,
  translating: Pick<Translating, 'change'>
): string {
  if (/\$\{\w+:[^}]*\}/.test(value)) return toReference(key, value, variable, translating)
  translating.change(key, `is not copied, since it is a secret: put it into the variable ${variable}`)
  return `\${env:${variable}}`
}
