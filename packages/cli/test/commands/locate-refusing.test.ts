import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Ran, runCommand } from '../run-command.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

const HIERARCHY = {
  levels: [
    { into: '/n', from: [{ field: '/n', type: 'integer' }] },
    { into: '/day', from: [{ field: '/day' }] }
  ]
}
const DAYS = { into: '/pk', from: [{ bucket: 'day', of: '/at' }] }

describe('keystamp locate', () => {
  const path = useTemporaryFolder()

  test('prints the warnings of the plan on standard error, except with --quiet', async () => {
    const args = ['locate', '--from', 'date', '{"date":"2018-08-09"}']

    const { code, stdout, stderr } = await runCommand(args)
    const quiet = await runCommand([...args, '--quiet'])

    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringMatching(/^keystamp: warning: .*\n$/) })
    expect(quiet).toEqual({ code: 0, stdout, stderr: '' })
  })

  test.each(['x', '"7"x', '["7"]', '7.5'])('refuses %s as the key of a level of integers', async (key) => {
    const { code, stdout, stderr } = await locate(HIERARCHY, '--key', key)

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('This key was not made by this plan.')
  })

  test('accepts the levels of a hierarchical key with their types', async () => {
    const whole = await locate(HIERARCHY, '--key', '[7,"x"]', '--json')
    const known = await locate(HIERARCHY, '{"n":7,"day":"x"}', '--json')
    const first = await locate(HIERARCHY, '--key', '7', '--json')

    expect(JSON.parse(first.stdout)).toMatchObject({ key: [7] })
    expect(JSON.parse(whole.stdout)).toMatchObject({
      key: [7, 'x'],
      epk: (JSON.parse(known.stdout) as { epk: string }).epk
    })
  })

  test('reads the key of a single level with the type in the plan', async () => {
    const plan = { into: '/n', from: [{ field: '/n', type: 'integer' }] }

    const asKey = await locate(plan, '--key', '7', '--json')
    const asParts = await locate(plan, '{"n":7}', '--json')

    expect(JSON.parse(asKey.stdout)).toMatchObject({ key: 7, epk: (JSON.parse(asParts.stdout) as { epk: string }).epk })
  })

  test('refuses a part that is not in the plan, even if the key can be computed without it', async () => {
    const plan = { into: '/pk', from: [{ field: '/device' }, { field: '/site', missing: { use: 'none' } }] }

    for (const args of [['{"device":"d","sitee":"s"}'], ['{"device":"d","site":"s","sitee":"s"}', '--json']]) {
      expect(await locate(plan, ...args)).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(
          'The part /sitee is not a field of the key or of the id, so it cannot be looked up. Did you mean /site?'
        )
      })
    }
  })

  test('warns if a part is missing and the plan has a substitute for it, since records that have the field get other keys', async () => {
    const plan = { into: '/pk', from: [{ field: '/device' }, { field: '/site', missing: { use: 'none' } }] }
    const args = ['locate', '--plan', path('plan.json')]
    await locate(plan, '{"device":"d"}')

    const without = await runCommand([...args, '{"device":"d"}'])
    const known = await runCommand([...args, '{"device":"d","site":"s"}'])

    expect(without).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^d-none /),
      stderr: expect.stringContaining('for a part that you left out')
    })
    expect(known).toMatchObject({ code: 0, stdout: expect.stringMatching(/^d-s /), stderr: '' })
  })

  test('uses the key in the given parts if they contain the property of the key', async () => {
    const plan = { into: '/pk', from: [{ field: '/device' }], suffix: { by: 'random', count: 4 } }

    expect(await locate(plan, '{"pk":"d.3"}')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^d\.3 [^\n]*\n$/)
    })
  })

  test.each([
    [
      'an end before the beginning',
      DAYS,
      ['{}', '--between', '2026-01-02,2026-01-01'],
      '--between must not end before it begins'
    ],
    ['values of --between that are not times', DAYS, ['{}', '--between', 'a,b'], 'needs two times'],
    [
      '--between for a plan without time buckets',
      HIERARCHY,
      ['{"n":1}', '--between', '2026-01-01,2026-01-02'],
      'the known parts determine every time bucket of the plan'
    ],
    [
      '--between for a day that is known',
      DAYS,
      ['{"at":"2026-01-01"}', '--between', '2026-01-01,2026-01-02'],
      'the known parts determine every time bucket of the plan'
    ],
    [
      '--between with --key',
      DAYS,
      ['--key', '2026-01-01', '--between', '2026-01-01,2026-01-02'],
      '--between needs the parts of a record'
    ],
    [
      'parts with --key',
      DAYS,
      ['{"at":"2026-01-01"}', '--key', '2026-01-01'],
      'either the parts of a record or a --key'
    ],
    ['a key that is an incomplete array', DAYS, ['--key', '[7,'], '--key is not valid JSON'],
    [
      'too many ranges',
      DAYS,
      ['--key', '2026-01-01', '--ranges', '1000000000'],
      '--ranges takes a whole number from 1 to 999,999'
    ]
  ])('refuses %s', async (_, plan, args, sentence) => {
    const { code, stdout, stderr } = await locate(plan, ...args)

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(sentence)
  })

  function locate(plan: object, ...args: readonly string[]): Promise<Ran> {
    writeFileSync(path('plan.json'), JSON.stringify(plan))
    return runCommand(['locate', '--plan', path('plan.json'), '--quiet', ...args])
  }
})
