import avro from 'avsc'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { asJson } from './as-json.ts'
import { exactLong } from './exact-long.ts'
import { sample } from './random-schemas.ts'
import { readerOf } from './read-avro.ts'

const typeOf = (schema: unknown): avro.Type =>
  avro.Type.forSchema(schema as string, { wrapUnions: 'always', registry: { long: exactLong } })

describe('a decoded Avro value', () => {
  it('equals the value that avsc decodes, for random schemas and values', () => {
    fc.assert(
      fc.property(sample, ({ schema, value }) => {
        const type = typeOf(schema)
        const bytes = type.toBuffer(value)

        const json = readerOf(schema)(bytes)

        expect(JSON.parse(json)).toEqual(asJson(type, type.fromBuffer(bytes)))
        // canonical JSON: no whitespace, no unnecessary escapes, every property once
        expect(json).toHaveLength(JSON.stringify(JSON.parse(json)).length)
      }),
      { numRuns: 300 }
    )
  })
})
