import type { IdComponent } from './id-definition.ts'

/** The parts of a template such as `${topic}_${key}`: what stands between the variables as it is; undefined with an unknown variable. */
export function templateParts(template: string): readonly IdComponent[] {
  return template
    .split(VARIABLE)
    .map((part, index): IdComponent => (index % 2 === 0 ? { literal: part } : ({ kafka: part } as IdComponent)))
    .filter((part) => !('literal' in part) || part.literal !== '')
}

/** What a template may name that is none of its variables: it would be written as it stands. */
export function unknownVariables(template: string): readonly string[] {
  return [...template.matchAll(/\$\{([^}]*)\}/g)].map(([, name]) => name).filter((name) => !TEMPLATE_VARIABLES.includes(name))
}

type TemplateVariable = 'topic' | 'partition' | 'offset' | 'key'

export const TEMPLATE_VARIABLES: readonly string[] = ['topic', 'partition', 'offset', 'key'] satisfies TemplateVariable[]

const VARIABLE = /\$\{(topic|partition|offset|key)\}/
