/**
 * What a translation has to say of a key. `refused`: the documents would be others, somebody has to act first. `changed`: works, and not as before.
 * `needless`: there is nothing to do.
 */
export interface Note {
  readonly kind: 'refused' | 'changed' | 'needless'
  /** The key of Kafka Connect; empty for the whole. */
  readonly key: string
  /** What to do, or why nothing is. */
  readonly message: string
}

/** A configuration of ours as it grows, and what is said of it. */
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
  value?: string
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
 * A value of Kafka Connect as we write it: its references to the environment and to files of one value are ours, others become a variable.
 */
export function toReference(key: string, value: string, variable: string, { change }: Pick<Translating, 'change'>): string {
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

/** A secret as we write it: never itself. */
export function toSecretReference(key: string, value: string, variable: string, translating: Pick<Translating, 'change'>): string {
  if (/\$\{\w+:[^}]*\}/.test(value)) return toReference(key, value, variable, translating)
  translating.change(key, `is not copied, since it is a secret: put it into the variable ${variable}`)
  return `\${env:${variable}}`
}
