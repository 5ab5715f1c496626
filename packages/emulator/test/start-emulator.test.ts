/* oxlint-disable unicorn/consistent-function-scoping -- helpers of a suite are next to its rows */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { get } from 'node:https'
import { X509Certificate } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmulator, startEmulatorProcess, WELL_KNOWN_KEY } from '@keystamp/emulator'
import { describe, expect, it, vi } from 'vitest'
import { runCommand } from '../src/command.ts'

const status = (url: string, ca?: string): Promise<number | undefined> =>
  new Promise((resolve, reject) =>
    get(url, { ca }, (response) => resolve(response.resume().statusCode)).on('error', reject)
  )

describe('startEmulator', () => {
  it('uses a free port and the well-known key, and no longer answers after a stop', async () => {
    const emulator = await startEmulator()
    const other = await startEmulator()

    expect(emulator.endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
    expect(other.endpoint).not.toBe(emulator.endpoint)
    expect(emulator.key).toBe(WELL_KNOWN_KEY)
    expect(emulator.connectionString).toBe(`AccountEndpoint=${emulator.endpoint};AccountKey=${WELL_KNOWN_KEY};`)
    await Promise.all([emulator.stop(), other.stop()])
    await expect(fetch(emulator.endpoint)).rejects.toThrow('fetch failed')
  })

  it('serves https with a certificate that a trust store accepts as is', async () => {
    const emulator = await startEmulator({ https: true, certificateNames: ['cosmos', '10.0.0.5'], auth: 'off' })
    const certificate = new X509Certificate(emulator.certificate!)

    expect(certificate.subjectAltName).toBe(
      'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, DNS:cosmos, IP Address:10.0.0.5'
    )
    expect(certificate.ca).toBe(true)
    expect(await status(emulator.endpoint, emulator.certificate)).toBe(200)
    expect(await status(`${emulator.endpoint}_control/certificate`, emulator.certificate)).toBe(200)
    expect(await status(`${emulator.endpoint}_explorer/emulator.pem`, emulator.certificate)).toBe(200)
    expect(await status(`${emulator.endpoint}_explorer/index.html`, emulator.certificate)).toBe(200)
    await expect(status(emulator.endpoint)).rejects.toThrow(/self-signed/)
    await emulator.stop()
  })

  it('accepts requests without authorization with the option `auth: off`', async () => {
    const emulator = await startEmulator({ auth: 'off' })

    expect((await fetch(emulator.endpoint)).status).toBe(200)
    await emulator.stop()
  })

  it('accepts Entra-like tokens for data or for all requests, according to `acceptAad`', async () => {
    const token = (exp: number): string => `e30.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.x`
    const ask = async (options: Parameters<typeof startEmulator>[0], exp: number, method = 'GET'): Promise<number> => {
      const emulator = await startEmulator(options)
      const headers = { authorization: `type=aad&ver=1.0&sig=${token(exp)}` }
      const response = await fetch(`${emulator.endpoint}dbs`, {
        method,
        headers,
        ...(method === 'POST' ? { body: '{"id":"d"}' } : {})
      })
      await emulator.stop()
      return response.status
    }
    const later = Date.now() / 1000 + 600

    expect(await ask({}, later)).toBe(401)
    expect(await ask({ acceptAad: true }, later)).toBe(200)
    expect(await ask({ acceptAad: true }, 5)).toBe(401)
    expect(await ask({ acceptAad: true }, later, 'POST')).toBe(403)
    expect(await ask({ acceptAad: 'all' }, later, 'POST')).toBe(201)
  })

  it('waits at least latencyMs for every answer', async () => {
    const emulator = await startEmulator({ auth: 'off', latencyMs: 40 })
    const begun = performance.now()
    await fetch(emulator.endpoint)

    expect(performance.now() - begun).toBeGreaterThanOrEqual(39)
    await emulator.stop()
  })

  it.each([
    [{ prot: 8081 }, /'prot'/],
    [{ ranges: 0 }, /'ranges'/],
    [{ port: 99_999 }, /'port'/],
    [{ throttle: { windw: 1 } }, /'windw'/]
  ])('refuses the options %j, and names the invalid one', async (options, message) => {
    await expect(startEmulator(options as object)).rejects.toThrow(message)
  })

  it('reports that a port is taken', async () => {
    const emulator = await startEmulator()
    const port = Number(new URL(emulator.endpoint).port)

    await expect(startEmulator({ port })).rejects.toThrow(/EADDRINUSE/)
    await emulator.stop()
  })
})

describe('an emulator with the option `containers`', () => {
  it('creates the containers and their databases, with simple and hierarchical keys', async () => {
    const emulator = await startEmulator({
      auth: 'off',
      ranges: 2,
      containers: ['fleet/drives:/partitionKey', 'fleet/days:/tenant,/day']
    })
    const answer = await fetch(`${emulator.endpoint}dbs/fleet/colls`)
    const { DocumentCollections: found } = (await answer.json()) as {
      DocumentCollections: { id: string; partitionKey: object }[]
    }
    await emulator.stop()

    expect(found.map(({ id, partitionKey }) => ({ id, partitionKey }))).toEqual([
      { id: 'drives', partitionKey: { paths: ['/partitionKey'], kind: 'Hash', version: 2 } },
      { id: 'days', partitionKey: { paths: ['/tenant', '/day'], kind: 'MultiHash', version: 2 } }
    ])
  })

  it('refuses a container that is named twice', async () => {
    await expect(startEmulator({ containers: ['d/c:/pk', 'd/c:/pk'] })).rejects.toThrow(
      /already exists: the container 'c'/
    )
  })
})

describe('startEmulatorProcess', () => {
  it('runs an emulator with the given options in another process', async () => {
    const emulator = await startEmulatorProcess({ ranges: 3, auth: 'off' })
    await fetch(`${emulator.endpoint}dbs`, { method: 'POST', body: '{"id":"d"}' })
    await fetch(`${emulator.endpoint}dbs/d/colls`, {
      method: 'POST',
      body: '{"id":"c","partitionKey":{"paths":["/pk"]}}'
    })
    const ranges = (await (await fetch(`${emulator.endpoint}dbs/d/colls/c/pkranges`)).json()) as { _count: number }

    expect(emulator.pid).not.toBe(process.pid)
    expect(ranges['_count']).toBe(3)
    await emulator.stop()
    await expect(fetch(emulator.endpoint)).rejects.toThrow('fetch failed')
  })
})

describe('the command `npx @keystamp/emulator`', () => {
  async function command(
    ...args: string[]
  ): Promise<{ code: number; printed: string[]; complained: string[]; answered: number[] }> {
    const printed: string[] = []
    const complained: string[] = []
    const answered: number[] = []
    const code = await runCommand(args, {
      print: (line) => printed.push(line),
      printError: (line) => complained.push(line),
      log: (line) => complained.push(line),
      commandName: 'npx @keystamp/emulator',
      waitForShutdown: async () => {
        const endpoint = /https?:\/\/[^/]+\//.exec(printed.join('\n'))?.[0]
        if (endpoint !== undefined && endpoint.startsWith('http:')) answered.push((await fetch(endpoint)).status)
      }
    })
    return { code, printed, complained, answered }
  }

  it('reports wrong options in whole sentences on one line', async () => {
    expect((await command('--prt', '1')).complained).toEqual([
      "Unknown option '--prt'. Did you mean --port? --help lists all."
    ])
    expect((await command('--ru', '-5')).complained).toEqual([
      '--ru needs a value, but the next word begins with a dash. If that word is the value, write --ru=<value>.'
    ])
  })

  it('runs an emulator until it is stopped, and prints its endpoint', async () => {
    const { code, printed, answered } = await command(
      '--port',
      '0',
      '--throttle',
      '--ranges',
      '4',
      '--ru',
      '40000',
      '--no-auth'
    )

    expect(code).toBe(0)
    expect(printed[0]).toMatch(/ready at http:\/\/127\.0\.0\.1:\d+\/$/)
    expect(printed[1]).toMatch(/^AccountEndpoint=.*;AccountKey=.*;$/)
    expect(printed[2]).toMatch(/^Explorer: http:\/\/127\.0\.0\.1:\d+\/_explorer$/)
    expect(answered).toEqual([200])
  })

  it('writes the certificate of the emulator to a file, the same one at each start', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keystamp-'))
    vi.stubEnv('XDG_CACHE_HOME', folder)
    const files = ['1.pem', '2.pem'].map((name) => join(folder, name))
    for (const file of files) await command('--port', '0', '--https', '--certificate', file)
    vi.unstubAllEnvs()
    const [first, second] = await Promise.all(files.map((file) => readFile(file, 'utf8')))

    expect(first).toMatch(/^-----BEGIN CERTIFICATE-----/)
    expect(second).toBe(first)
    await rm(folder, { recursive: true })
  })

  it('prints JSON or help if an option asks for it, and reports mistakes in sentences', async () => {
    const { printed } = await command('--port', '0', '--json')
    expect(JSON.parse(printed[0])).toMatchObject({ key: WELL_KNOWN_KEY })
    expect((await command('--help')).printed[0]).toContain('npx @keystamp/emulator')
    expect(await command('--prot', '1')).toMatchObject({
      code: 2,
      complained: [expect.stringMatching(/--prot.*--help/)]
    })
    expect(await command('--port', 'x')).toMatchObject({
      code: 2,
      complained: ['--port takes a whole number, not "x".']
    })
    expect(await command('--options', '{')).toMatchObject({
      code: 2,
      complained: [expect.stringMatching(/^--options is not valid JSON/)]
    })
    expect(await command('--container', 'drives')).toMatchObject({
      code: 2,
      complained: [expect.stringContaining('fleet/drives:/partitionKey')]
    })
  })
})
