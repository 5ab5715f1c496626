import { describe, expect, it, test } from 'vitest'
import { createPlan, PlanError } from '../../src/index.ts'
import { parsePlanText, stripComments } from '../../src/plan/parse-plan.ts'

const from = [{ field: '/a' }]
const level = { into: '/pk', from }

function mistakesOf(plan: unknown): readonly string[] {
  try {
    createPlan(plan as never)
  } catch (error) {
    if (error instanceof PlanError) return error.mistakes.map(({ path, message }) => `${path} ${message}`)
    throw error
  }
  return []
}

describe('the error for an invalid key plan', () => {
  it.each([
    ['a plan that is a list', [], ' must be an object, not a list'],
    ['a plan that is a string', '{"into":"/pk"}', ' is a string, not an object: createPlan(parsePlanText(text))'],
    [
      'an unknown member with a name similar to a known one',
      { ...level, seperator: '-' },
      '/seperator is not known; did you mean "separator"?'
    ],
    ['an unknown member without a similar name', { ...level, zzzzzz: 1 }, '/zzzzzz is not known here; known are'],
    ['a missing into', { from }, '/into must be a string, not missing'],
    ['an into that is not a pointer', { into: 'pk', from }, '/into must be a JSON pointer such as'],
    ['an into of __proto__', { into: '/__proto__', from }, '/into must not name __proto__'],
    ['the id as into', { into: '/id', from }, '/into must not be the id'],
    ['a missing from', { into: '/pk' }, '/from must be a list, not missing'],
    ['an empty from', { into: '/pk', from: [] }, '/from must have 1 to 16 entries, not 0'],
    ['only literals', { into: '/pk', from: [{ literal: 'x' }] }, '/from has only literals'],
    ['a component that is a string', { into: '/pk', from: ['/a'] }, '/from/0 must be an object such as'],
    [
      'a component of two kinds',
      { into: '/pk', from: [{ field: '/a', literal: 'b' }] },
      '/from/0 is more than one kind of component: field and literal'
    ],
    [
      'a component without a kind',
      { into: '/pk', from: [{ feild: '/a' }] },
      '/from/0/feild is not known; did you mean "field"?'
    ],
    ['an unknown type', { into: '/pk', from: [{ field: '/a', type: 'string' }] }, '/from/0/type must be "text" or'],
    [
      'the word undefined',
      { into: '/pk', from: [{ field: '/a', missing: { use: 'undefined' } }] },
      '/from/0/missing/use must not be the word "undefined"'
    ],
    [
      'a letter as separator',
      { ...level, separator: 'x' },
      '/separator must be one ASCII punctuation character other than ~'
    ],
    [
      'the escape as separator',
      { ...level, separator: '~' },
      '/separator must be one ASCII punctuation character other than ~'
    ],
    [
      'a count of zero',
      { ...level, suffix: { by: '/v', count: 0 } },
      '/suffix/count must be a whole number from 1 to 1000000, not 0'
    ],
    [
      'too many even labels',
      { ...level, suffix: { by: '/v', count: 10_001, labels: 'even' } },
      '/suffix/count must be a whole number from 1 to 10000'
    ],
    [
      'a suffix by an invalid field',
      { ...level, suffix: { by: { literal: 'v' }, count: 4 } },
      '/suffix/by must be a field, as "/vin" or as { "field": "/vin", "missing": { "use": "none" } }'
    ],
    [
      'a suffix by an unknown word',
      { ...level, suffix: { by: 'ofset', count: 4 } },
      'an object such as { "field": "/vin", "missing": { "use": "none" } }, a list of them, "offset" or "random", not "ofset"'
    ],
    [
      'a suffix by a name without a slash',
      { ...level, suffix: { by: 'vin', count: 4 } },
      '/suffix/by must be a field such as'
    ],
    ['a bucket without a field', { into: '/pk', from: [{ bucket: 'day' }] }, '/from/0/of is missing'],
    [
      'a bucket of the current time',
      { into: '/pk', from: [{ bucket: 'day', of: { kafka: 'now' } }] },
      '/from/0/of must be a field or'
    ],
    [
      'minutes that do not divide the hour',
      { into: '/pk', from: [{ bucket: 'minute:7', of: '/t' }] },
      '/from/0/bucket must be "year"'
    ],
    [
      'an unknown zone',
      { into: '/pk', from: [{ bucket: 'day', of: '/t', zone: 'Mars/Base' }] },
      '/from/0/zone must be "UTC"'
    ],
    [
      'a header without a name',
      { into: '/pk', from: [{ kafka: 'header' }] },
      '/from/0/name must be a string, not missing'
    ],
    [
      'four levels',
      { levels: ['/a', '/b', '/c', '/d'].map((into) => ({ into, from })) },
      '/levels must have 1 to 3 entries, not 4'
    ],
    ['two levels at the same path', { levels: [level, level] }, '/levels/1/into collides with another level: /pk'],
    [
      'even labels below the first level',
      { levels: [level, { into: '/b', from, suffix: { by: '/v', count: 4, labels: 'even' } }] },
      '/levels/1/suffix/labels can be "even" on the first level only'
    ],
    [
      'a hierarchical key with version 1',
      { hashVersion: 1, levels: [level, { into: '/b', from }] },
      '/hashVersion must be 2 for a hierarchical key'
    ],
    ['an id made of the id', { ...level, id: { from: [{ id: true }] } }, '/id/from must not use the id'],
    [
      'a version with another path',
      { ...level, previous: [{ until: { field: '/t', before: 1 }, plan: { into: '/other', from } }] },
      '/previous/0/plan must write into /pk'
    ],
    [
      'versions out of order',
      { ...level, previous: [1, 2].map((before) => ({ until: { field: '/t', before }, plan: level })) },
      '/previous/1/until/before must be before the boundary listed above it'
    ],
    [
      'a boundary that is not a time',
      { ...level, previous: [{ until: { field: '/t', before: 'soon' }, plan: level }] },
      '/previous/0/until/before must be a number, or a time'
    ],
    [
      'versions inside versions',
      { ...level, previous: [{ until: { field: '/t', before: 1 }, plan: { ...level, previous: [] } }] },
      '/previous/0/plan/previous must be in the newest plan'
    ]
  ])('has a sentence for %s', (_what, plan, sentence) => {
    expect(mistakesOf(plan).join('\n')).toContain(sentence)
  })

  it('reports all mistakes at once, each with its path', () => {
    const plan = { into: 'pk', form: [], separator: 'ab', suffix: { by: 7, count: -1, label: 'even' } }

    expect(mistakesOf(plan).map((line) => line.split(' ')[0])).toEqual([
      '/form',
      '/into',
      '/from',
      '/separator',
      '/suffix/label',
      '/suffix/count',
      '/suffix/by'
    ])
  })

  it('reports unknown properties of the plan that have the names of inherited properties', () => {
    expect(
      mistakesOf(JSON.parse('{"into":"/pk","from":[{"field":"/a"}],"__proto__":{"x":1},"constructor":1}'))
    ).toHaveLength(2)
  })
})

describe('the fingerprint of a plan', () => {
  it('is the same for different notations of the same plan', () => {
    const short = createPlan({ into: '/pk', from: [{ field: '/a' }, { field: '/b' }] })
    const long = createPlan({
      levels: [{ separator: '-', from: [{ field: '/a', missing: 'reject' }, { field: '/b' }], into: '/pk' }],
      encoding: 'injective',
      hashVersion: 2
    })

    expect(long.fingerprint).toBe(short.fingerprint)
  })

  it.each([
    ['separator', { separator: '_' }],
    ['suffix', { suffix: { by: '/v', count: 4 } }],
    ['encoding', { encoding: 'plain' as const }],
    ['hash version', { hashVersion: 1 as const }],
    ['id', { id: { from: [{ field: '/a' }] } }],
    ['action for long keys', { tooLong: 'hash' as const }],
    ['components', { from: [{ field: '/b' }] }]
  ])('differs with another %s', (_what, change) => {
    const base = { into: '/pk', from: [{ field: '/a' }] }

    expect(createPlan({ ...base, ...change }).fingerprint).not.toBe(createPlan(base).fingerprint)
  })

  it('that is a previous version is in `previousFingerprints` of the new plan', () => {
    const old = { into: '/pk', from: [{ field: '/a' }] }
    const plan = createPlan({
      ...old,
      suffix: { by: '/v', count: 4 },
      previous: [{ until: { field: '/t', before: 5 }, plan: old }]
    })

    expect(plan.previousFingerprints).toEqual([createPlan(old).fingerprint])
  })
})

describe('stripComments', () => {
  test.each([
    ['{"a":1} // end', '{"a":1}       '],
    ['{/* one\n two */"a":1}', '{      \n       "a":1}'],
    ['{"a":"// no","b":"/* no */"}', '{"a":"// no","b":"/* no */"}'],
    [String.raw`{"a":"\"// no"}//`, String.raw`{"a":"\"// no"}  `],
    ['{"a":1}/* open', '{"a":1}       '],
    ['{"a":"open // no', '{"a":"open // no']
  ])('turns %j into %j', (text, stripped) => {
    expect(stripComments(text)).toBe(stripped)
  })
})

test('parsePlanText reads JSON with comments and a byte order mark', () => {
  expect(parsePlanText('\ufeff{ "into": "/key", // where\n "from": [] }')).toEqual({ into: '/key', from: [] })
})

test('parsePlanText throws the error of JSON.parse', () => {
  expect(() => parsePlanText('{ "into" }')).toThrow(SyntaxError)
})
