import { describe, expect, test } from 'vitest'
import { shapeOf } from '../../shape/shape-of.ts'
import { CORE, refusedBy, sinkOf, translated } from './translated.ts'

describe('single message transforms', () => {
  test.each([
    ['Cast$Value', { spec: 'int32' }, 'a whole value is not cast'],
    ['Cast$Value', { spec: 'a:date' }, 'date is no type'],
    ['ExtractField$Value', {}, 'it names no field'],
    ['ExtractField$Key', { field: 'a.`b.c`', 'field.syntax.version': 'V2' }, 'quoted names'],
    ['Filter', {}, 'without a predicate it drops every record'],
    ['HoistField$Key', {}, 'it names no field'],
    ['InsertField$Value', { 'static.field': 'a' }, 'it names no field'],
    ['MaskField$Value', {}, 'it names no fields'],
    ['RegexRouter', { regex: '[', replacement: 'x' }, 'map topics to containers'],
    ['ReplaceField$Value', { renames: 'a' }, 'its renames cannot be read'],
    ['TimestampConverter$Value', { 'target.type': 'unix' }, 'a whole value is not converted'],
    [
      'TimestampConverter$Value',
      { field: 'at', 'target.type': 'string', format: 'EEE' },
      'a part that is not read (EEE)'
    ],
    ['TimestampConverter$Value', { field: 'at', 'target.type': 'string' }, 'string is no type that it converts to'],
    ['TimestampConverter$Value', { field: 'at', 'target.type': 'unix', 'unix.precision': 'days' }, 'days is no unit'],
    ['TimestampRouter', {}, 'the container cannot depend on the time'],
    ['ValueToKey', {}, 'it names no fields']
  ])('%s with %j is refused with its name and the reason', (type, options, reason) => {
    const [refused, ...others] = refusedBy(translated([{ type: `${CORE}.${type}`, ...options }]))

    expect(others).toEqual([])
    expect(refused).toMatch(/^transforms\.t0 \S+ has no equivalent: [\w].{10,}/)
    expect(refused).toContain(`${type} has no equivalent: `)
    expect(refused).toContain(reason)
  })

  test.each([
    ['Cast$Value', { spec: 'speed:int32,b:string' }, [{ cast: { '/speed': 'int32', '/b': 'string' } }]],
    ['Cast$Key', { spec: 'a:INT8' }, [{ cast: { '/a': 'int8' }, of: 'key' }]],
    ['ExtractField$Value', { field: 'a.b' }, [{ extract: '/a.b' }]],
    ['ExtractField$Value', { field: 'a.b', 'field.syntax.version': 'V2' }, [{ extract: '/a/b' }]],
    ['Flatten$Value', { delimiter: '_' }, [{ flatten: { delimiter: '_' } }]],
    ['HeaderFrom$Value', { fields: 'a', headers: 'b', operation: 'move' }, [{ exclude: ['/a'] }]],
    ['HoistField$Key', { field: 'a' }, [{ hoist: 'a', of: 'key' }]],
    ['InsertField$Value', { 'topic.field': 'topic!' }, [{ insert: { '/topic': { kafka: 'topic' } } }]],
    [
      'MaskField$Value',
      { fields: 'a,b/c', replacement: '*' },
      [{ mask: { fields: ['/a', '/b~1c'], replacement: '*' } }]
    ],
    ['ReplaceField$Value', { whitelist: 'a', renames: 'a:b' }, [{ include: ['/a'] }, { rename: { '/a': '/b' } }]],
    [
      'TimestampConverter$Value',
      { field: 'at', 'target.type': 'unix', format: 'yyyy', 'unix.precision': 'seconds' },
      [{ timestamp: { fields: ['/at'], from: { unix: 'seconds', pattern: 'yyyy' }, to: { unix: 'seconds' } } }]
    ],
    [
      'TimestampConverter$Value',
      { field: 'at', 'target.type': 'Date' },
      [{ timestamp: { fields: ['/at'], to: 'date' } }]
    ]
  ])('%s with %j becomes steps of a shape', async (type, options, steps) => {
    const translation = translated([{ type: `${CORE}.${type}`, ...options }])

    expect(refusedBy(translation)).toEqual([])
    expect((await sinkOf(translation)).shape).toEqual(shapeOf(...steps))
  })

  test('a chain that needs a shape becomes steps in the order of the transforms', async () => {
    const translation = translated(
      [
        { type: `${CORE}.Filter`, predicate: 'p' },
        { type: `${CORE}.ReplaceField$Value`, exclude: 'a' },
        { type: `${CORE}.ReplaceField$Value`, renames: 'b:a', predicate: 'q', negate: 'true' },
        { type: `${CORE}.ValueToKey`, fields: 'vin' },
        { type: `${CORE}.ExtractField$Key`, field: 'vin' }
      ],
      {
        predicates: 'p,q',
        'predicates.p.type': `${CORE}.predicates.RecordIsTombstone`,
        'predicates.q.type': `${CORE}.predicates.TopicNameMatches`,
        'predicates.q.pattern': 'old.*',
        'azure.cosmos.sink.id.strategy': 'FullKeyStrategy'
      }
    )
    const { shape, id, write } = await sinkOf(translation)

    expect(refusedBy(translation)).toEqual([])
    expect(shape).toEqual(
      shapeOf(
        { filter: { tombstone: true } },
        { exclude: ['/a'] },
        { rename: { '/b': '/a' }, when: { topic: 'old.*', negate: true } },
        { key: ['/vin'] },
        { extract: '/vin', of: 'key' }
      )
    )
    expect(id).toMatchObject({ strategy: 'fullKey' })
    expect(write.drop).toEqual([])
    expect(JSON.stringify(translation.notes)).not.toContain('Choose write.tombstones')
  })

  test('an id of a key that became an object is refused, since its text would differ', () => {
    const hoist = { type: `${CORE}.HoistField$Key`, field: 'vin' }
    const full = { 'azure.cosmos.sink.id.strategy': 'FullKeyStrategy' }

    expect(refusedBy(translated([hoist], full))[0]).toContain('makes ids from a key that transforms have changed')
  })

  test.each([
    [{ type: `${CORE}.InsertHeader` }, { predicate: 'h' }, 'it tests a header after a transform that changes headers'],
    [
      { type: `${CORE}.RegexRouter`, regex: 'drives', replacement: 'x' },
      { predicate: 't' },
      'it reads the topic after'
    ],
    [
      { type: `${CORE}.RegexRouter`, regex: 'drives', replacement: 'x' },
      { type: `${CORE}.InsertField$Value`, 'topic.field': 'topic' },
      'it reads the topic after'
    ]
  ])('a step after %j that depends on its result is refused', (first, second, reason) => {
    const mask = { type: `${CORE}.MaskField$Value`, fields: 'a', ...second }
    const predicates = {
      predicates: 'h,t',
      'predicates.h.type': `${CORE}.predicates.HasHeaderKey`,
      'predicates.h.name': 'x',
      'predicates.t.type': `${CORE}.predicates.TopicNameMatches`,
      'predicates.t.pattern': 'x'
    }

    expect(refusedBy(translated([first, mask], predicates)).join()).toContain(reason)
  })

  test('a transform under a predicate of another vendor is refused', () => {
    const mask = { type: `${CORE}.MaskField$Value`, fields: 'a', predicate: 'p' }

    expect(refusedBy(translated([mask], { predicates: 'p', 'predicates.p.type': 'com.acme.IsOdd' }))[0]).toContain(
      'IsOdd is not one of the predicates of Kafka'
    )
    expect(refusedBy(translated([mask]))[0]).toContain('a predicate that is not configured')
  })

  test.each([
    'com.github.cjmatta.kafka.connect.smt.InsertUuid$Value',
    'io.debezium.transforms.outbox.EventRouter',
    'io.confluent.connect.transforms.Filter$Value'
  ])('%s of another vendor is refused with its full name', (type) => {
    expect(refusedBy(translated([{ type }]))[0]).toContain(`${type} has no equivalent`)
  })

  test.each(['DropHeaders', 'InsertHeader', 'SetSchemaMetadata$Value', 'SetSchemaMetadata$Key'])(
    '%s is left out with a note, since it changes nothing that is stored',
    (type) => {
      const { notes, yaml } = translated([{ type: `${CORE}.${type}` }])

      expect(refusedBy({ notes, yaml })).toEqual([])
      expect(notes).toContainEqual({
        kind: 'needless',
        key: 'transforms.t0',
        message: `${type} changes nothing that is stored`
      })
    }
  )

  test('ReplaceField with exclude becomes write.dropProperties', async () => {
    const translation = translated([
      { type: `${CORE}.ReplaceField$Value`, exclude: 'a,b' },
      { type: `${CORE}.ReplaceField$Value`, blacklist: 'c' }
    ])

    expect(refusedBy(translation)).toEqual([])
    expect((await sinkOf(translation)).write.drop).toEqual(['a', 'b', 'c'])
  })

  test('InsertField and Cast that set a time to live as Microsoft documents become write.ttl', async () => {
    const translation = translated([
      { type: `${CORE}.InsertField$Value`, 'static.field': 'ttl', 'static.value': '100' },
      { type: `${CORE}.Cast$Value`, spec: 'ttl:int32' }
    ])

    expect(refusedBy(translation)).toEqual([])
    expect((await sinkOf(translation)).write.ttl).toBe(100)
  })

  test('Filter with the predicate RecordIsTombstone becomes write.tombstones: ignore', async () => {
    const filter = { type: `${CORE}.Filter`, predicate: 'p' }
    const predicates = { predicates: 'p', 'predicates.p.type': `${CORE}.predicates.RecordIsTombstone` }

    expect((await sinkOf(translated([filter], predicates))).write.tombstones).toBe('ignore')
  })

  test('ValueToKey and ExtractField under FullKeyStrategy become ids from the value', async () => {
    const toKey = { type: `${CORE}.ValueToKey`, fields: 'vin,day' }
    const extract = { type: `${CORE}.ExtractField$Key`, field: 'vin' }
    const full = { 'azure.cosmos.sink.id.strategy': 'FullKeyStrategy' }
    const inKey = {
      'azure.cosmos.sink.id.strategy': 'ProvidedInKeyStrategy',
      'azure.cosmos.sink.id.strategy.jsonPath': '$.day.text'
    }

    expect((await sinkOf(translated([toKey, extract], full))).id).toEqual({
      strategy: 'inValue',
      path: '$.vin',
      escape: 'underscore'
    })
    expect((await sinkOf(translated([extract], full))).id).toEqual({
      strategy: 'inKey',
      path: '$.vin',
      escape: 'underscore'
    })
    expect((await sinkOf(translated([toKey], inKey))).id).toEqual({
      strategy: 'inValue',
      path: '$.day.text',
      escape: 'underscore'
    })
    expect(refusedBy(translated([toKey], full))[0]).toContain(
      'azure.cosmos.sink.id.strategy makes ids from a key that transforms have changed'
    )
  })

  test('ValueToKey is accepted if ids are not made of the Kafka key', () => {
    expect(refusedBy(translated([{ type: `${CORE}.ValueToKey`, fields: 'vin' }]))).toEqual([])
  })

  test('RegexRouter maps a topic to the container with the name that the topic would get', async () => {
    const route = { type: `${CORE}.RegexRouter`, regex: 'prod\\.(.*)', replacement: '$1' }
    const translation = translated([route], { topics: 'prod.drives' })

    expect(refusedBy(translation)).toEqual([])
    expect(await sinkOf(translation)).toMatchObject({
      kafka: { topics: ['prod.drives'] },
      cosmos: { container: 'drives' }
    })
    expect(
      refusedBy(
        translated([route], { topics: 'prod.drives', 'azure.cosmos.sink.id.strategy': 'KafkaMetadataStrategy' })
      )[0]
    ).toContain('makes ids from the topic, which a transform has renamed')
    expect(refusedBy(translated([route], { topics: '', 'topics.regex': 'prod.*' }))[0]).toContain(
      'RegexRouter has no equivalent'
    )
  })
})
