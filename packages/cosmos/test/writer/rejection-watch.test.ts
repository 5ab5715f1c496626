import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import type { Outcome } from '../../src/classify/outcome.ts'
import { rejected } from '../../src/classify/to-outcome.ts'
import { createRejectionWatch } from '../../src/writer/rejection-watch.ts'

const WRITTEN: Outcome = { kind: 'written', status: 201, chargeRu: 5, etag: undefined, isSuperseded: false }

function open() {
  const warnings: string[] = []
  return { warnings, ...createRejectionWatch('shop/carts', (warning) => warnings.push(warning)) }
}

it('warns once of rejected outcomes that nobody has read', () => {
  const { watch, warn, warnings } = open()
  watch(rejected('ALREADY_EXISTS'))
  watch(rejected('DOCUMENT_TOO_LARGE'))
  watch(WRITTEN)

  warn()

  expect(warnings).toEqual([
    expect.stringMatching(/^2 records were rejected and not stored in shop\/carts, .* ALREADY_EXISTS\. .*`upsert`/)
  ])
})

it.each<[string, (outcome: Outcome) => unknown]>([
  ['its kind', ({ kind }) => kind],
  ['its code', (outcome) => outcome.kind === 'rejected' && outcome.code],
  ['all of it', (outcome) => ({ ...outcome })],
  ['its JSON', (outcome) => JSON.stringify(outcome)],
  ['what a console prints', (outcome) => inspect(outcome)]
])('does not warn where somebody has read %s', (_, look) => {
  const { watch, warn, warnings } = open()
  look(watch(rejected('ALREADY_EXISTS')))

  warn()

  expect(warnings).toEqual([])
})

it('hands out an outcome that looks like any other', () => {
  const outcome = rejected('ALREADY_EXISTS', { status: 409 })
  const watched = open().watch(outcome)

  expect(watched).toEqual(outcome)
  expect(structuredClone(watched)).toEqual(outcome)
  expect(inspect(watched)).toBe(inspect(outcome))
})

it('hands on what is not rejected', () => {
  expect(open().watch(WRITTEN)).toBe(WRITTEN)
})

it('takes one outcome of an atomic batch that is read for all of them', () => {
  const { watchAll, warn, warnings } = open()
  const outcomes = watchAll([rejected('BATCH_FAILED'), rejected('ALREADY_EXISTS')])
  expect(outcomes[0].kind).toBe('rejected')
  watchAll([rejected('BATCH_FAILED'), rejected('NOT_FOUND')])

  warn()

  expect(warnings).toEqual([expect.stringMatching(/^2 records .* ALREADY_EXISTS\. /)])
})
