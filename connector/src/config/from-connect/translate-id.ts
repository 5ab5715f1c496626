import { ID_STRATEGIES } from '../strategy-names.ts'
import type { ConnectConfig } from './connect-config.ts'
import type { Translating } from './draft.ts'
import type { KeyUse, Transformed } from './transforms.ts'

/**
 * Translates id strategies. Both versions of the connector always overwrite the id, and replace characters that Cosmos
 * DB does not allow in ids by `_`.
 */
export function translateId(
  config: ConnectConfig,
  prefix: string,
  { keyIs, isRenamed }: Transformed,
  { draft, refuse, needless }: Translating
): void {
  const written = config.take(prefix)
  // version 1 of the connector takes full class names
  const name = written?.split('.').at(-1) ?? 'ProvidedInValueStrategy'
  const template = config.take(`${prefix}.template`)
  const delimiter = config.take(`${prefix}.delimiter`)
  const jsonPath = config.take(`${prefix}.jsonPath`)
  const strategy = ID_STRATEGIES[name]
  if (strategy === undefined)
    return refuse(
      prefix,
      `is ${name}, which is none of ${Object.keys(ID_STRATEGIES).join(', ')}: write ids under \`id\` or in a plan`
    )
  const escape = 'underscore'
  const unused = (key: string, value: string | undefined, ...of: readonly string[]): void => {
    if (value !== undefined && !of.includes(strategy))
      needless(`${prefix}.${key}`, `had no effect: the strategy ${name} does not use it`)
  }
  unused('template', template, 'template')
  unused('delimiter', delimiter, 'metadata')
  unused('jsonPath', jsonPath, 'inValue', 'inKey')
  if (isRenamed && (strategy === 'metadata' || template?.includes('${topic}') === true)) {
    refuse(prefix, 'makes ids from the topic, which a transform has renamed: define the ids under `id` or in a plan')
  }
  switch (strategy) {
    case 'inValue':
      draft.id = { strategy, path: jsonPath ?? '$.id', escape }
      return
    case 'metadata':
      draft.id = { strategy, delimiter: delimiter ?? '-', escape }
      return
    case 'template':
      draft.id = { strategy, template: template ?? '', escape }
      if (template === undefined) refuse(`${prefix}.template`, 'is missing: write it under id.template')
      if (keyIs.kind !== 'record' && template?.includes('${key}') === true) refuse(prefix, KEY_CHANGED)
      return
    case 'inKey':
      return translateInKey(jsonPath ?? '$.id', keyIs)
    case 'fullKey':
      return translateFullKey(keyIs)
  }

  function translateInKey(path: string, key: KeyUse): void {
    const [, first = '', rest = ''] = /^\$\.([^.[]+)(.*)$/.exec(path) ?? []
    if (key.kind === 'record' || key.kind === 'object') draft.id = { strategy: 'inKey', path, escape }
    else if (key.kind === 'fieldsOfValue' && key.fields.includes(first))
      draft.id = { strategy: 'inValue', path: `$.${first}${rest}`, escape }
    else refuse(prefix, KEY_CHANGED)
  }

  function translateFullKey(key: KeyUse): void {
    if (key.kind === 'record') draft.id = { strategy: 'fullKey', escape }
    else if (key.kind === 'fieldOfValue') draft.id = { strategy: 'inValue', path: `$.${key.field}`, escape }
    else if (key.kind === 'fieldOfKey') draft.id = { strategy: 'inKey', path: `$.${key.field}`, escape }
    else refuse(prefix, KEY_CHANGED)
  }
}

const KEY_CHANGED = 'makes ids from a key that transforms have changed: define the ids under `id` or in a plan'
