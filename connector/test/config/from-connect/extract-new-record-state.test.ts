import { describe, expect, test } from 'vitest'
import { CORE, refusedBy, sinkOf, translated } from './translated.ts'

describe('ExtractNewRecordState', () => {
  const UNWRAP = { type: 'io.debezium.transforms.ExtractNewRecordState' }

  test('becomes the format of change data, and deletes documents', async () => {
    const translation = translated([UNWRAP, { type: `${CORE}.ReplaceField$Value`, exclude: 'a' }])
    const { value, write } = await sinkOf(translation)

    expect(refusedBy(translation)).toEqual([])
    expect(value).toMatchObject({ format: 'debezium', encoding: { format: 'json' } })
    expect(write).toMatchObject({ tombstones: 'repeated', drop: ['a'] })
    expect(translation.notes).toContainEqual({
      kind: 'changed',
      key: 'transforms.t0',
      message: 'dropped deletes, so documents of deleted rows stayed; the sink deletes the document'
    })
    expect(JSON.stringify(translation.notes)).not.toContain('Choose write.tombstones')
  })

  test('keeps the encoding of the converter', async () => {
    const converter = {
      'value.converter': 'io.confluent.connect.avro.AvroConverter',
      'value.converter.schema.registry.url': 'http://registry:8081'
    }

    expect(await sinkOf(translated([UNWRAP], converter))).toMatchObject({
      value: { format: 'debezium', encoding: { format: 'registry' } },
      numbers: { int64: 'number' }
    })
    expect(await sinkOf(translated([UNWRAP], { 'value.converter.schemas.enable': 'true' }))).toMatchObject({
      value: { format: 'debezium', encoding: { format: 'json' } },
      numbers: { int64: 'number' }
    })
  })

  test('is refused with options that change documents', () => {
    const options = { 'add.fields': 'op', 'route.by.field': 'a', 'delete.tombstone.handling.mode': 'rewrite' }

    expect(refusedBy(translated([{ ...UNWRAP, ...options }]))).toEqual([
      expect.stringMatching(/^transforms\.t0\.add\.fields added/),
      expect.stringMatching(/^transforms\.t0\.route\.by\.field chose/),
      expect.stringMatching(/^transforms\.t0\.delete\.tombstone\.handling\.mode marked/)
    ])
  })

  test('is refused after a transform that reads the whole change, and with a converter that has no fields', () => {
    const excluding = { type: `${CORE}.ReplaceField$Value`, exclude: 'a' }
    const text = { 'value.converter': 'org.apache.kafka.connect.storage.StringConverter' }

    expect(refusedBy(translated([excluding, UNWRAP]))[0]).toContain('put it before the transforms that read rows')
    expect(refusedBy(translated([UNWRAP], text)).join()).toContain('produced text, which is not change data')
  })

  test('for MongoDB is refused, since its documents would differ', () => {
    const type = 'io.debezium.connector.mongodb.transforms.ExtractNewDocumentState'

    expect(refusedBy(translated([{ type }]))[0]).toContain('extended JSON')
  })
})
