import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { run } from '../../src/run.ts'
import { runCommand } from '../run-command.ts'

describe('keystamp emulate', () => {
  test('serves until it is interrupted, and then ends with exit code 0', async () => {
    const abort = new AbortController()
    const stdout = new PassThrough()
    const dependencies = {
      stdin: Readable.from([]),
      stdout,
      stderr: new PassThrough(),
      signal: abort.signal,
      now: () => 0,
      env: {}
    }

    const ended = run(['emulate', '--port', '0', '--json', '--ranges', '2'], dependencies)
    const { endpoint } = JSON.parse(String(await nextOf(stdout))) as { endpoint: string }
    const { status } = await fetch(endpoint)
    abort.abort()

    expect(status).toBeLessThan(500)
    expect(await ended).toBe(0)
    await expect(fetch(endpoint)).rejects.toThrow('fetch failed')
  })

  test('accepts the options of `npx @keystamp/emulator`, and lists them in its help', async () => {
    const abort = new AbortController()
    abort.abort()
    const options =
      '--port 0 --json --key a2V5 --latency 1 --no-auth --accept-aad --control-token t --verbose --container fleet/drives:/pk'
    const { code, stdout, stderr } = await runCommand(['emulate', ...options.split(' '), '--options', '{"moveMs":1}'], {
      signal: abort.signal
    })
    const help = await runCommand(['emulate', '--help'])
    const other = await runCommand(['help', 'emulate'])

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ key: 'a2V5', controlToken: 't' })
    expect(help.code).toBe(0)
    expect(other).toEqual(help)
    for (const option of options.match(/--[a-z-]+/g) ?? []) expect(help.stdout).toContain(`${option} `)
    expect(help.stdout).toContain('keystamp emulate --container fleet/drives:/partitionKey')
  })

  test('reports that the port is already in use', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo

    const { code, stderr } = await runCommand(['emulate', '--port', String(port)])
    server.close()

    expect(code).toBe(2)
    expect(stderr).toBe(`keystamp: Port ${port} is taken. Choose another with --port, or --port 0 for a free one.\n`)
  })

  test('reports why the certificate cannot be written', async () => {
    const { code, stderr } = await runCommand(['emulate', '--port', '0', '--https', '--certificate', '/nope/c.pem'])

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'keystamp: The certificate cannot be written to /nope/c.pem: there is no such folder.\n'
    })
  })

  test.each([
    [['--port', 'http'], '--port takes a whole number, not "http".'],
    [['--certificate', 'c.pem', '--port', '0'], '--certificate needs --https, which creates the certificate.'],
    [
      ['--host', '192.0.2.1', '--port', '0'],
      'The host 192.0.2.1 is not an address of this machine. Choose one with --host, such as 127.0.0.1.'
    ],
    [['--ranges', '0', '--port', '0'], '--ranges must be a whole number from 1 to 1000, not 0.']
  ])('refuses %j', async (args, sentence) => {
    const { code, stderr } = await runCommand(['emulate', ...args])

    expect({ code, stderr }).toEqual({ code: 2, stderr: `keystamp: ${sentence}\n` })
  })
})

function nextOf(stream: PassThrough): Promise<unknown> {
  return new Promise((resolve) => stream.once('data', resolve))
}
