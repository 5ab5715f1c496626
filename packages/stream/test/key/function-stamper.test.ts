import { describe, expect, test } from 'vitest'
import { stampArrayStage, stampLinesStage, stampStage } from '../../src/index.ts'

interface Named {
  readonly name?: string
}

const quoted = (): string => 'a "quoted" ä'

const keyOf = ({ name }: Named): string => (name as string).toUpperCase()

describe('a key function', () => {
  test('leads to unchanged bytes of lines and elements, except for its result, which is written as JSON', () => {
    const lines = stampLinesStage(quoted, { into: '/meta/key' })
    const array = stampArrayStage(quoted, { into: '/key' })

    expect(lines('{ "n": 1.0, "meta": { } }\n')?.toString()).toBe('{ "n": 1.0, "meta": { "key":"a \\"quoted\\" ä"} }\n')
    expect(array('[{"n":1e2},{"n":2}]')?.toString()).toBe(
      '{"n":1e2,"key":"a \\"quoted\\" ä"}\n{"n":2,"key":"a \\"quoted\\" ä"}\n'
    )
  })

  test('leads to the same rejection codes for lines, objects and array elements', () => {
    const texts = ['{"name":"a"}', '{}', '{"name":""}', '[]', '5', 'nonsense', '{"name":"b","key":"c"}']
    const codes: string[] = []
    const options = { into: '/key', onError: ({ code }: { code: string }) => codes.push(code) } as const

    const lines = stampLinesStage(keyOf, options)
    const line = lines(`${texts.join('\n')}\n`)?.toString()
    const byLines = codes.splice(0)
    const objects = stampStage(keyOf, options)
    for (const text of texts)
      if (text !== 'nonsense') objects(text === '[]' ? (5 as Named) : (JSON.parse(text) as Named))
    const byObjects = codes.splice(0)
    const elements = stampArrayStage(keyOf, options)
    elements(`[${texts.filter((text) => text !== 'nonsense').join(',')}]`)

    expect(line).toBe('{"name":"a","key":"A"}\n')
    expect(byLines).toEqual([
      'KEY_FUNCTION_FAILED',
      'KEY_NOT_TEXT',
      'JSON_NOT_OBJECT',
      'JSON_NOT_OBJECT',
      'JSON_INVALID',
      'KEY_DIFFERS'
    ])
    expect(byObjects).toEqual([
      'KEY_FUNCTION_FAILED',
      'KEY_NOT_TEXT',
      'RECORD_NOT_OBJECT',
      'RECORD_NOT_OBJECT',
      'KEY_DIFFERS'
    ])
    expect(codes).toEqual(['KEY_FUNCTION_FAILED', 'KEY_NOT_TEXT', 'JSON_NOT_OBJECT', 'JSON_NOT_OBJECT', 'KEY_DIFFERS'])
  })

  test.each([
    ['verify', undefined],
    ['overwrite', '{"name":"b","key":"B"}\n'],
    ['keep', '{"name":"b","key":"c"}\n']
  ] as const)('replaces, keeps or verifies an existing key according to `existing`: %s', (existing, expected) => {
    const stage = stampLinesStage(keyOf, { into: '/key', existing, onError: 'skip' })

    expect(stage('{"name":"b","key":"c"}\n')?.toString()).toBe(expected)
  })

  test('is not called for a record that is not UTF-8', () => {
    const stage = stampLinesStage(keyOf, { into: '/key', onError: 'skip' })

    expect(stage(Buffer.from([...Buffer.from('{"name":"'), 0xff, ...Buffer.from('"}\n')]))).toBeUndefined()
    expect(stage.counts.byCode).toEqual({ JSON_INVALID: 1 })
  })

  test('causes a rejection with KEY_TOO_LONG if its key is longer than Cosmos DB allows', () => {
    const stage = stampStage(() => 'x'.repeat(3000), { into: '/key', onError: 'skip' })

    expect(stage({})).toBeUndefined()
    expect(stage.counts.byCode).toEqual({ KEY_TOO_LONG: 1 })
  })

  test('causes a rejection if it returns a promise', () => {
    const stage = stampStage((() => Promise.resolve('x')) as unknown as () => string, { into: '/key', onError: 'skip' })

    stage({})

    expect(stage.counts.byCode).toEqual({ KEY_NOT_TEXT: 1 })
  })
})
