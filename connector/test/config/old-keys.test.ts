import type { PlanDefinition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { whyOldKeyUnknown } from '../../src/config/old-keys.ts'
import type { IdSettings } from '../../src/config/settings.ts'
import { MINIMAL, mistakesOf, sinkOf } from './read-text.ts'

const FROM_KEY: IdSettings = { strategy: 'fullKey', escape: 'lossless' }

describe('the old key of a document', () => {
  it.each<[string, PlanDefinition, IdSettings | undefined]>([
    ['fields', { into: '/pk', from: [{ field: '/area' }, { field: '/kind' }] }, undefined],
    ['a field and the id', { into: '/pk', from: [{ field: '/area' }, { id: true }] }, FROM_KEY],
    ['the Kafka key, the topic and the partition', kafkaPlan('key', 'topic', 'partition'), FROM_KEY],
    ['hashed fields', { into: '/pk', from: [{ field: '/a' }], suffix: { by: ['/b'], count: 4 } }, undefined]
  ])('is known from its image if it is made of %s', (_what, plan, id) => {
    expect(whyOldKeyUnknown({ plan, id })).toBeUndefined()
  })

  it.each<[string, PlanDefinition | undefined, IdSettings | undefined, string]>([
    ['without a plan', undefined, undefined, 'without a plan'],
    ['of the offset', kafkaPlan('offset'), undefined, 'the key is made of the offset'],
    ['of the timestamp', kafkaPlan('timestamp'), undefined, 'the key is made of the timestamp'],
    [
      'of a header',
      { into: '/pk', from: [{ kafka: 'header', name: 'tenant' }] },
      undefined,
      'the key is made of the header'
    ],
    [
      'of a random suffix',
      { into: '/pk', from: [{ field: '/a' }], suffix: { by: 'random', count: 4 } },
      undefined,
      'drawn at random'
    ],
    [
      'of a suffix by offset',
      { into: '/pk', from: [{ field: '/a' }], suffix: { by: 'offset', count: 4 } },
      undefined,
      'the suffix is made of the offset'
    ],
    [
      'of the coordinates, as its id',
      { into: '/pk', from: [{ field: '/a' }] },
      { strategy: 'metadata', delimiter: '-', escape: 'lossless' },
      'the id is made of the offset'
    ],
    [
      'of the offset in an older version of the plan',
      {
        into: '/pk',
        from: [{ field: '/a' }],
        previous: [{ until: { field: '/at', before: 7 }, plan: kafkaPlan('offset') }]
      },
      undefined,
      'the key is made of the offset'
    ]
  ])('is not known if it is made %s', (_what, plan, id, reason) => {
    expect(whyOldKeyUnknown({ plan, id })).toContain(reason)
  })

  it('is read from a JSON pointer or from a header', async () => {
    const plan = 'plan: { into: /pk, from: [{ field: /a }] }\n'
    const inRecord = await sinkOf(`${plan}write: { rehome: { before: /meta/before } }\n`)
    const inHeader = await sinkOf(`${plan}write: { rehome: { before: { header: image } } }\n`)

    expect(inRecord.write.rehome).toEqual({ before: { field: '/meta/before' } })
    expect(inHeader.write.rehome).toEqual({ before: { header: 'image' } })
  })

  it.each<[string, string]>([
    ['true', 'write.rehome must be { before: ... }, the place of the previous image: the sink keeps no index of keys'],
    ['{ before: before }', 'must be envelope, a JSON pointer such as /before, or { header: before }'],
    ['{ before: { header: "" } }', 'write.rehome.before.header must'],
    ['{ index: folder }', 'write.rehome.before is missing: Place of the previous image'],
    ['{}', 'write.rehome.before is missing: Place of the previous image']
  ])('is refused from `rehome: %s`, with a sentence that shows a valid place', async (rehome, sentence) => {
    expect((await mistakesOf(`${MINIMAL}write: { rehome: ${rehome} }\n`)).join()).toContain(sentence)
  })
})

function kafkaPlan(...parts: readonly ('key' | 'topic' | 'partition' | 'offset' | 'timestamp')[]): PlanDefinition {
  return { into: '/pk', from: parts.map((kafka) => ({ kafka })) } as PlanDefinition
}
