import { describe, expect, it } from 'vitest'
import { sharedKafka } from '../shared-kafka.ts'
import { startWorld } from './start-world.ts'

const { isMissing, why, brokers } = await sharedKafka()

const RECORD = { key: '{"vin":"V1"}', value: '{"id":"own","vehicle":{"vin":"V2"},"partitionKey":"p"}' }

describe.skipIf(isMissing)(`a sink that makes ids${why}`, () => {
  it.each<[string, object, (topic: string) => string]>([
    ['the id of the record', {}, () => 'own'],
    ['a field of the value', { id: { strategy: 'inValue', path: '/vehicle/vin' } }, () => 'V2'],
    ['a field of the key', { key: 'json', id: { strategy: 'inKey', path: '$.vin' } }, () => 'V1'],
    ['the whole key', { id: { strategy: 'FullKeyStrategy' } }, () => '{"vin":"V1"}'],
    ['topic, partition and offset', { id: { strategy: 'metadata', delimiter: '_' } }, (topic) => `${topic}_0_1`],
    [
      'a template',
      { id: { strategy: 'template', template: '${topic}.${partition}.${offset}!${key}' } },
      (topic) => `${topic}.0.1!{"vin":"V1"}`
    ],
    [
      'a plan',
      {
        plan: {
          into: '/partitionKey',
          from: [{ field: '/partitionKey' }],
          id: { from: [{ kafka: 'offset' }], existing: 'overwrite' }
        }
      },
      () => '1'
    ]
  ])('from %s stores each record under its id', async (_, config, id) => {
    const world = await startWorld({ brokers, partitions: 1 })

    const stored = await world.play(config, [
      { value: '{"id":"first","vehicle":{"vin":"V0"},"partitionKey":"p"}', key: '{"vin":"V0"}' },
      RECORD
    ])

    expect(stored).toHaveLength(2)
    expect(stored).toContainEqual({ id: id(world.topic), vehicle: { vin: 'V2' }, partitionKey: 'p' })
  })

  it('escapes characters that Cosmos DB does not allow, or replaces them as Microsoft’s connectors do', async () => {
    const lossless = await startWorld({ brokers, partitions: 1 })
    const others = await startWorld({ brokers, partitions: 1 })
    const record = { key: 'a/b?c', value: '{"partitionKey":"p"}' }

    const [escaped] = await lossless.play({ id: { strategy: 'fullKey' } }, [record])
    const [replaced] = await others.play({ id: { strategy: 'fullKey', escape: 'underscore' } }, [record])

    expect(escaped.id).not.toMatch(/[/?#\\]/)
    expect(replaced.id).toBe('a_b_c')
  })
})
