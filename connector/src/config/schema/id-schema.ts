import * as z from 'zod'
import type { IdSettings } from '../settings.ts'
import { ID_STRATEGIES } from '../strategy-names.ts'
import { toIdPointer } from '../../shape/id-pointer.ts'
import { TEMPLATE_VARIABLES, unknownVariables } from '../../shape/id-template.ts'

const escape = z
  .enum(['lossless', 'underscore'])
  .default('lossless')
  .meta({ description: 'What Cosmos DB cannot store in an id is escaped reversibly, or replaced by `_` as Microsoft’s connectors do.' })

function path(mayBeRoot: boolean): z.ZodDefault<z.ZodString> {
  return z
    .string()
    .refine((text) => isPath(text, mayBeRoot), 'must be a JSON pointer such as /vehicle/vin, or a path such as $.vehicle.vin')
    .default('/id')
    .meta({ description: `Where the id stands: \`/vehicle/vin\`, or \`$.vehicle.vin\`${mayBeRoot ? '; `$` for the whole key' : ''}.` })
}

export const idSchema: z.ZodType<IdSettings> = z
  .discriminatedUnion('strategy', [
    z.strictObject({
      strategy: z
        .enum(['inValue', 'ProvidedInValueStrategy'])
        .meta({ description: 'How the id is made; Microsoft’s names are taken as well.' }),
      path: path(false),
      escape
    }),
    z.strictObject({ strategy: z.enum(['inKey', 'ProvidedInKeyStrategy']), path: path(true), escape }),
    z.strictObject({ strategy: z.enum(['fullKey', 'FullKeyStrategy']), escape }),
    z.strictObject({
      strategy: z.enum(['metadata', 'KafkaMetadataStrategy']),
      delimiter: z.string().min(1).max(16).default('-').meta({ description: 'Between topic, partition and offset.' }),
      escape
    }),
    z.strictObject({
      strategy: z.enum(['template', 'TemplateStrategy']),
      template: z
        .string()
        .min(1)
        .refine(hasKnownVariables, 'must be made of ${topic}, ${partition}, ${offset}, ${key} and text between them')
        .meta({ description: 'Text with `${topic}`, `${partition}`, `${offset}` and `${key}` in it.', examples: ['${topic}-${key}'] }),
      escape
    })
  ])
  .transform((id) => ({ ...id, strategy: ID_STRATEGIES[id.strategy] ?? id.strategy }) as IdSettings)

function isPath(text: string, mayBeRoot: boolean): boolean {
  const pointer = toIdPointer(text)
  return pointer !== undefined && (pointer !== '' || mayBeRoot)
}

// without a variable every record would have the same id
function hasKnownVariables(template: string): boolean {
  return unknownVariables(template).length === 0 && TEMPLATE_VARIABLES.some((name) => template.includes(`\${${name}}`))
}
