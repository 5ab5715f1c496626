import type { Translating } from './draft.ts'

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
