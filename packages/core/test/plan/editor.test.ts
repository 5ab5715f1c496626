import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ShownFile, showFile } from './language-server.ts'

const TRIP = `
import { createPlan, createPlanFor } from '../../src/index.ts'
interface Trip {
  medallion: string
  pickup: { at: Date; zone?: string }
  tags: string[]
  note: string | null
  tip?: number
}
interface Event { a?: number | null; n: string; at: number; v: string }
`

describe.each(['createPlan', 'createPlanFor<Event>()'])('an editor, for %s', (create) => {
  let file: ShownFile

  beforeAll(async () => {
    file = await showFile(`${TRIP}
const plan = ${create}({
  into: '/pk',
  from: [
    { field: '/a', type: 'integer', coerce: true, missing: { use: 'x' }, null: 'reject', wrongType: 'reject', empty: 'reject', orKey: '/a' },
    { field: '/n', normalize: 'NFC' },
    { bucket: 'day', of: '/at', zone: 'UTC', epoch: 'seconds' },
    { kafka: 'header', name: 'h' },
    { literal: 'x' }
  ],
  separator: '_',
  existing: 'verify',
  tooLong: 'hash',
  hashVersion: 2,
  encoding: 'plain',
  suffix: { by: '/v', count: 4, labels: 'even' },
  id: { from: [{ kafka: 'key' }], escape: 'lossless' },
  previous: []
})
plan.keyFor({})
plan.keysFor({})
plan.decode('')
plan.warnings
`)
  }, 60_000)
  afterAll(() => file.close())

  it.each([
    ["into: '/pk'", 'Partition key path'],
    ['from: [', 'Components of the key'],
    ["field: '/a'", 'JSON pointer'],
    ["type: 'integer'", 'Type of the value'],
    ['coerce: true', 'Accepts strings of digits'],
    ["missing: { use: 'x' }", 'For a record without the field'],
    ["use: 'x'", 'String to use instead'],
    ["null: 'reject'", 'For a field that is null'],
    ["wrongType: 'reject'", 'For a value that the component does not accept'],
    ["empty: 'reject'", 'For an empty string'],
    ["orKey: '/a'", 'JSON pointer into the Kafka key'],
    ["normalize: 'NFC'", 'Unicode normalization'],
    ["bucket: 'day'", '`year`, `month`'],
    ["of: '/at'", 'The field that holds the time'],
    ["zone: 'UTC'", '`UTC`, an offset'],
    ["epoch: 'seconds'", 'Unit of numbers'],
    ["kafka: 'header'", 'Header of the Kafka record'],
    ["name: 'h'", 'The name of the header'],
    ["literal: 'x'", 'A string that is the same'],
    ["separator: '_'", 'One ASCII punctuation character'],
    ["existing: 'verify'", 'Action if the record already has'],
    ["tooLong: 'hash'", 'Action for a key longer'],
    ['hashVersion: 2', 'Hash version in the container'],
    ["encoding: 'plain'", '`injective`: different components'],
    ['suffix: {', 'Spreads one base key'],
    ["by: '/v'", 'A field or several'],
    ['count: 4', 'Number of suffixes'],
    ["labels: 'even'", '`even` puts one suffix'],
    ['id: {', 'How ids are made'],
    ["kafka: 'key'", 'Key of the Kafka record'],
    ["escape: 'lossless'", '`lossless` escapes'],
    ['previous: []', 'Older versions of this plan'],
    ['keyFor({})', 'Returns the key of the record'],
    ['keysFor({})', 'Lists every key under which'],
    ["decode('')", 'Splits a key'],
    ['warnings', 'Parts of the plan that are allowed but risky']
  ])('shows the documentation of %s', async (text, documentation) => {
    expect(await file.hover(text)).toContain(documentation)
  })
})

describe.each(['createPlan<Trip>', 'createPlanFor<Trip>()'])('the TypeScript compiler, for %s', (create) => {
  const legal =
    /"\/medallion" \| "\/pickup\/at" .*NeedsMissing<"\/pickup\/zone" \| "\/tip">.*NeedsNull<"\/note">.*NeedsWrongType</

  const plans: Readonly<Record<string, readonly [members: string, shown: readonly (string | RegExp)[]]>> = {
    'a misspelt field': ["from: [{ field: '/medalion' }]", [legal, 'Did you mean \'"/medallion"\'?']],
    'a misspelt time': ["from: [{ bucket: 'day', of: '/pickup/att' }]", [legal, 'Did you mean \'"/pickup/at"\'?']],
    'a misspelled field of a suffix': [
      "from: [{ field: '/medallion' }], suffix: { by: '/medalion', count: 4 }",
      ['Did you mean \'"/medallion"\'?']
    ],
    'a field that may be missing': ["from: [{ field: '/tip' }]", [legal, '\'"/tip"\' is not assignable']],
    'a field below one that may be missing': ["from: [{ field: '/pickup/zone' }]", [legal]],
    'a field that may be null': ["from: [{ field: '/note' }]", [legal]],
    'an object': ["from: [{ field: '/pickup' }]", [legal]],
    'an array': ["from: [{ field: '/tags' }]", [legal]],
    'a time that may be missing': ["from: [{ bucket: 'day', of: '/pickup/zone' }]", [legal]],
    'a misspelt type': ["from: [{ field: '/medallion', type: 'txt' }]", ['Did you mean \'"text"\'?']],
    'a misspelt member': ["form: [{ field: '/medallion' }]", ["'form' does not exist"]]
  }
  const beforePlans = TRIP.split('\n').length
  let mistakes: ReadonlyMap<number, string>

  beforeAll(async () => {
    const lines = Object.values(plans).map(([members]) => `${create}({ into: '/pk', ${members} })`)
    const file = await showFile(`${TRIP}${lines.join('\n')}\n`)
    mistakes = await file.mistakes()
    await file.close()
  }, 60_000)

  it.each(Object.entries(plans).map(([what, [, shown]], line) => [what, line, shown] as const))(
    'shows the allowed fields, or the most similar field, for %s',
    (_what, line, shown) => {
      const mistake = mistakes.get(beforePlans + line)

      for (const part of shown) expect(mistake).toMatch(part)
      expect(mistake).not.toContain('kafka')
    }
  )
})
