import { describe, expect, it } from 'vitest'
import { linesOf } from '../../../../files/test/inputs/lines-of.ts'
import { type Ran, runCommand } from '../../run-command.ts'

describe('keystamp load', () => {
  it.each([
    ['a missing container', [], /--to https/],
    ['an address without a container', ['--to', 'http://127.0.0.1:1/d'], /a database and a container/],
    [
      'a container with a percent sign that escapes nothing',
      ['--to', 'http://127.0.0.1:1/d%zz/c'],
      /a database and a container/
    ],
    ['two plans', ['--to', 'http://127.0.0.1:1/d/c', '--plan', 'plan.json'], /either --plan or --from/],
    ['an unknown strategy', ['--to', 'http://127.0.0.1:1/d/c', '--strategy', 'upsert'], /--strategy must be one of/],
    ['an unknown source of ids', ['--to', 'http://127.0.0.1:1/d/c', '--id', 'random'], /--id must be/],
    ['an invalid share', ['--to', 'http://127.0.0.1:1/d/c', '--share', 'half'], /--share must be .* not "half"/],
    [
      'an invalid address of Redis',
      ['--to', 'http://127.0.0.1:1/d/c', '--redis', 'localhost'],
      /--redis takes the address/
    ],
    ['an unknown policy', ['--to', 'http://127.0.0.1:1/d/c', '--on-error', 'ignore'], /--on-error takes/]
  ])('refuses %s', async (_, args, message) => {
    expect(await runCommand(['load', '--from', 'deviceId', ...args])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(message)
    })
  })

  it('warns about a share of few RU/s, since a percentage may be meant', async () => {
    expect((await load('50')).stderr).toContain(
      'keystamp: warning: --share 50 means 50 RU/s. For 50 percent of the throughput write --share 50%.\n'
    )
    expect((await load('0.5')).stderr).toContain(
      'keystamp: warning: --share 0.5 means 0.5 RU/s. For 50 percent of the throughput write --share 50%.\n'
    )
    expect((await load('50', '-q')).stderr).not.toContain('warning')
    expect((await load('100')).stderr).not.toContain('warning')
    expect((await load('50%')).stderr).not.toContain('warning')
  })

  it('refuses --into without --from', async () => {
    const args = ['load', '--to', 'http://127.0.0.1:1/d/c', '--into', 'pk']

    expect(await runCommand(args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--into needs --from')
    })
  })

  it('requires an account key or Entra for an account that is not on this machine', async () => {
    const args = ['load', '--from', 'deviceId', '--to', 'https://account.invalid/d/c']

    expect(await runCommand(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('COSMOS_KEY') })
    expect(await runCommand(args, { env: { COSMOS_KEY: 'no key' } })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('COSMOS_KEY is not an account key, which is base64')
    })
  })

  it('reports without a stack trace that Cosmos DB does not answer', async () => {
    const { code, stderr } = await runCommand(['load', '--from', 'deviceId', '--to', 'http://127.0.0.1:1/d/c'], {
      input: linesOf(1)
    })

    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^keystamp: No answer from Cosmos DB.*127\.0\.0\.1:1.*\n$/)
    })
  })
})

function load(share: string, ...args: readonly string[]): Promise<Ran> {
  return runCommand(['load', '--from', 'deviceId', '--to', 'http://127.0.0.1:1/d/c', '--share', share, ...args])
}
