import { lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { runCommand } from '../run-command.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

const HIERARCHY = { levels: ['/t', '/day'].map((into) => ({ into, from: [{ field: into }] })) }

describe('what the commands say', () => {
  const path = useTemporaryFolder()

  test('writes the output through a link whose target does not exist yet', async () => {
    symlinkSync('second.out', path('link.out'))
    symlinkSync(path('real.out'), path('second.out'))

    const { code } = await runCommand(['stamp', '--from', 'a', '-q', '-o', path('link.out')], { input: '{"a":"x"}\n' })

    expect(code).toBe(0)
    expect(lstatSync(path('link.out')).isSymbolicLink()).toBe(true)
    expect(readFileSync(path('real.out'), 'utf8')).toBe('{"a":"x","partitionKey":"x"}\n')
  })

  test('refuses an output through links that lead in a circle', async () => {
    symlinkSync(path('b'), path('a'))
    symlinkSync(path('a'), path('b'))

    expect(await runCommand(['stamp', '--from', 'a', '-o', path('a')], { input: '{"a":"x"}\n' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be written: its links lead in a circle.')
    })
  })

  test('shows the type of a level that keeps the type of its field', async () => {
    writeFileSync(path('plan.json'), JSON.stringify(HIERARCHY))
    const key = async (text: string): Promise<string> =>
      (await runCommand(['locate', '--plan', path('plan.json'), '-q', '--key', text])).stdout.split('\n')[0]

    expect(await key('7')).toBe('/t  "7" (string)')
    expect(await key('[7]')).toBe('/t  7 (number)')
    expect(await key('[true]')).toBe('/t  true (boolean)')
  })

  test('tells a key that is text from a number that looks the same', async () => {
    writeFileSync(path('plan.json'), JSON.stringify({ into: '/t', from: [{ field: '/t' }] }))
    const key = async (parts: string): Promise<string> =>
      (await runCommand(['locate', '--plan', path('plan.json'), '-q', parts])).stdout.split('  ')[0]

    expect(await key('{"t":"7"}')).toBe('"7"')
    expect(await key('{"t":7}')).toBe('7')
    expect(await key('{"t":"x"}')).toBe('x')
  })

  test('says of a missing field of the id that it is the id’s', async () => {
    writeFileSync(path('plan.json'), JSON.stringify({ into: '/pk', from: [{ field: '/a' }], id: { from: [{ field: '/trip' }] } }))

    const { stderr } = await runCommand(['stamp', '--plan', path('plan.json')], { input: '{"a":"x"}\n' })

    expect(stderr).toContain('Line 1, byte 0: A field that the id is made of is missing: /trip.')
  })
})
