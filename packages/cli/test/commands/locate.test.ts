import { partitionHash } from '@keystamp/core'
import { describe, expect, test } from 'vitest'
import { writeFileSync } from 'node:fs'
import { runCommand } from '../run-command.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

const EPK = partitionHash(['abc-123-2018'], { version: 2 })

describe('keystamp locate', () => {
  const path = useTemporaryFolder()

  test('prints key, values, hash and range as a line of JSON', async () => {
    const { code, stdout } = await runCommand([
      'locate',
      '--from',
      'deviceId,date',
      '{"deviceId":"abc-123","date":2018}',
      '--ranges',
      '20',
      '--json'
    ])

    expect(code).toBe(0)
    expect(stdout.endsWith('\n')).toBe(true)
    expect(JSON.parse(stdout)).toEqual({ key: 'abc-123-2018', values: ['abc-123-2018'], epk: EPK, range: 15 })
  })

  test('prints every key that is possible if only some parts are known', async () => {
    const { stdout } = await runCommand([
      'locate',
      '--from',
      'date',
      '--suffix',
      '400',
      '--by',
      'vin',
      '{"date":"2018-08-09"}'
    ])

    const lines = stdout.trim().split('\n')
    expect(lines).toHaveLength(400)
    expect(lines[0]).toMatch(/^2018-08-09\.1 {2}[0-9A-F]{32}$/)
    expect(new Set(lines).size).toBe(400)
  })

  test('decodes a key into its parts', async () => {
    const text = await runCommand(['locate', '--from', 'deviceId,date', '--key', 'abc-123-2018', '--ranges', '20'])
    const json = await runCommand(['locate', '--from', 'deviceId,date', '--key', 'abc-123-2018', '--json'])

    expect(text.stdout).toBe(`/deviceId  abc-123\n/date  2018\nhash  ${EPK}\nrange  15\n`)
    expect(JSON.parse(json.stdout)).toMatchObject({
      epk: EPK,
      levels: [
        {
          parts: [
            { of: '/deviceId', value: 'abc-123' },
            { of: '/date', value: '2018' }
          ]
        }
      ]
    })
  })

  test('prints the physical partitions for a prefix of a hierarchical key', async () => {
    const plan = { levels: ['/tenant', '/day'].map((into) => ({ into, from: [{ field: into }] })) }
    writeFileSync(path('plan.json'), JSON.stringify(plan))

    const { code, stdout } = await runCommand([
      'locate',
      '--plan',
      path('plan.json'),
      '{"tenant":"t"}',
      '--ranges',
      '4',
      '--json'
    ])
    const whole = await runCommand(['locate', '--plan', path('plan.json'), '--key', '["t","d"]'])

    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ key: ['t'], values: ['t'], range: expect.any(Number) })
    expect(whole.stdout).toContain('/day  "d" (string)\n')
  })

  test('lists time buckets between two times', async () => {
    writeFileSync(path('plan.json'), '{"into":"/pk","from":[{"bucket":"day","of":"/at"}]}')

    const { stdout } = await runCommand([
      'locate',
      '--plan',
      path('plan.json'),
      '{}',
      '--between',
      '2026-01-30T00:00:00Z,2026-02-01T12:00:00Z'
    ])

    expect(stdout.split('\n').map((line) => line.split(' ')[0])).toEqual(['2026-01-30', '2026-01-31', '2026-02-01', ''])
  })

  test.each([
    [['locate', '--from', 'a'], 'Give the known parts of the record as JSON'],
    [['locate', '--from', 'a', '{"a":'], 'The parts of the record must be JSON'],
    [['locate', '--from', 'a', '[1]'], 'must be a JSON object'],
    [['locate', '--from', 'a', '{}'], 'The known parts allow more keys than can be listed.'],
    [
      ['locate', '--from', 'a', '{"a":1}', '--ranges', '0'],
      '--ranges takes a whole number from 1 to 999,999, not "0".'
    ],
    [['locate', '--from', 'a', '{}', '--between', '2026'], '--between takes two times with a comma between'],
    [['locate', '--from', 'a,b', '--key', 'x'], 'This key was not made by this plan.']
  ])('refuses %j with a sentence', async (args, sentence) => {
    const { code, stderr, stdout } = await runCommand(args)

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(sentence)
  })
})
