import { KeystampError, type PlanDefinition } from '@keystamp/core'
import type { IdSettings } from '../config/settings.ts'
import { toIdPointer } from './id-pointer.ts'
import { TEMPLATE_VARIABLES, templateParts, unknownVariables } from './id-template.ts'

/** How a plan says what ids are made of. */
export type IdDefinition = NonNullable<PlanDefinition['id']>

export type IdComponent = IdDefinition['from'][number]

/** An id strategy in the words of a key plan. The id that a record carries is overwritten. Throws CONFIG_INVALID. */
export function idDefinition(settings: IdSettings): IdDefinition {
  const { escape } = settings
  return { ...partsOf(settings), escape, existing: 'overwrite' }
}

function partsOf(settings: IdSettings): Pick<IdDefinition, 'from' | 'separator'> {
  switch (settings.strategy) {
    case 'inValue':
      return { from: [{ field: pointerOf(settings.path, false) }] }
    case 'inKey': {
      const field = pointerOf(settings.path, true)
      return { from: [field === '' ? { kafka: 'key' } : { kafka: 'key', field }] }
    }
    case 'fullKey':
      return { from: [{ kafka: 'key' }] }
    case 'metadata':
      return metadataParts(settings.delimiter)
    case 'template':
      return { from: templateParts(checkTemplate(settings.template)), separator: '' }
  }
}

function metadataParts(delimiter: string): Pick<IdDefinition, 'from' | 'separator'> {
  const [topic, partition, offset] = [{ kafka: 'topic' }, { kafka: 'partition' }, { kafka: 'offset' }] as const
  // as a plan says it that was written by hand
  if (delimiter === '-') return { from: [topic, partition, offset] }
  const between = delimiter === '' ? [] : [{ literal: delimiter }]
  return { from: [topic, ...between, partition, ...between, offset], separator: '' }
}

function pointerOf(path: string, mayBeRoot: boolean): `/${string}` | '' {
  const pointer = toIdPointer(path)
  if (pointer !== undefined && (pointer !== '' || mayBeRoot)) return pointer as `/${string}` | ''
  throw new KeystampError(
    'CONFIG_INVALID',
    `\`id.path\` must name one place, such as "/vehicle/vin" or "$.vehicle.vin", not ${JSON.stringify(path)}.`
  )
}

function checkTemplate(template: string): string {
  const [unknown] = unknownVariables(template)
  if (unknown !== undefined) {
    const known = TEMPLATE_VARIABLES.map((name) => `\${${name}}`).join(', ')
    throw new KeystampError('CONFIG_INVALID', `\`id.template\` knows ${known}, and not \${${unknown}}.`)
  }
  return template
}
