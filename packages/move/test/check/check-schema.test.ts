import { readFileSync } from 'node:fs'
import { type Schema, schemaComplaints } from '@keystamp/core/internal'
import { describe, expect, it } from 'vitest'
import { checkMove } from '../../src/check/check-move.ts'
import { FINDING_CODES, type MoveCheck } from '../../src/check/move-check.ts'
import { type Change, factsWith, inDefinition, inOptions, inPlan, inSample, inSource, mortalSample } from './facts.ts'

const SCHEMA = JSON.parse(
  readFileSync(new URL('../../../../docs/rekey-check.schema.json', import.meta.url), 'utf8')
) as Exclude<Schema, boolean>

const unknown = { unknown: 'It was refused.' }

const CHECKS: readonly (readonly [string, readonly Change[]])[] = [
  ['nothing to confirm', []],
  ['findings', [inPlan({ makesIds: true }), inSample({ collisions: 1, tornKeys: 1 })]],
  ['rejections', [inSample({ rejected: [{ code: 'FIELD_MISSING', message: 'No /a.', documents: 1 }] })]],
  ['a target that does not exist', [() => ({ target: null })]],
  ['an index of identities', [inPlan({ basis: 'fields', fields: ['/region'], reverseBasis: 'fields' })]],
  [
    'nothing that sees deletes',
    [inSource({ versionsFeed: unknown }), inOptions({ sweeps: false, keepsIndex: false, readShare: null })]
  ],
  ['data that expires', [inDefinition('source', { defaultTtl: 86_400 }), () => ({ sample: mortalSample(86_400) })]],
  [
    'nothing known',
    [
      inSource({
        versionsFeed: unknown,
        scripts: unknown,
        throughput: unknown,
        documents: unknown,
        bytes: unknown,
        largestKeyBytes: unknown
      }),
      () => ({ sample: unknown, charges: unknown, prices: unknown })
    ]
  ],
  [
    'a serverless account',
    [
      inSource({ throughput: { value: { kind: 'serverless', ruPerSecond: null, isShared: false } } }),
      ({ recipe }) => ({ target: null, recipe: { ...recipe, createRuPerSecond: null, runRuPerSecond: null } })
    ]
  ]
]

describe('docs/rekey-check.schema.json', () => {
  it.each(CHECKS)('fits the check of a move with %s', (_title, changes) => {
    const check = asJson(checkMove(factsWith(...changes)))

    expect(schemaComplaints(SCHEMA, check)).toEqual([])
  })

  it('refuses a check without one of its properties, and one with a further property', () => {
    const check = asJson(checkMove(factsWith()))

    for (const name of Object.keys(check)) {
      const { [name as keyof MoveCheck]: _left, ...rest } = check
      expect(schemaComplaints(SCHEMA, rest)).not.toEqual([])
    }
    expect(schemaComplaints(SCHEMA, { ...check, more: 1 })).not.toEqual([])
  })

  it('names every code of a finding', () => {
    const { findingCode } = SCHEMA['$defs'] as Readonly<Record<string, { readonly enum: readonly string[] }>>

    expect(findingCode.enum).toEqual(FINDING_CODES)
  })
})

function asJson(check: MoveCheck): MoveCheck {
  return JSON.parse(JSON.stringify(check)) as MoveCheck
}
