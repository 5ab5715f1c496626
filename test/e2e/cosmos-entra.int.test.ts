import { Agent } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { CosmosClient, PartitionKeyDefinitionVersion } from '@azure/cosmos'
import { createWriter, type Outcome, type TokenCredential, type Writer, type WriterOptions } from '@keystamp/cosmos'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

let emulator: Emulator
let agent: Agent
let writer: Writer | undefined

beforeAll(async () => {
  // tokens have only the permissions of a data-plane role, so containers are created with the key
  emulator = await startEmulator({ https: true, acceptAad: 'data', ranges: 2, ruPerSecond: 20_000 })
  const { endpoint, key, certificate } = emulator
  agent = new Agent({ ca: certificate, keepAlive: true })
  const client = new CosmosClient({
    endpoint,
    key,
    agent,
    connectionPolicy: { enableBackgroundEndpointRefreshing: false }
  })
  const { database } = await client.databases.create({ id: 'd' })
  await database.containers.create({
    id: 'c',
    partitionKey: { paths: ['/pk'], version: PartitionKeyDefinitionVersion.V2 }
  })
  client.dispose()
})

afterEach(async () => {
  await writer?.close(0)
  writer = undefined
})

afterAll(async () => {
  agent.destroy()
  await emulator.stop()
})

describe('a writer that authenticates with Entra', () => {
  it('renews its token before it expires, so that no request is refused', async () => {
    const credential = createCredential({ livesMs: 1200 })
    writer = await open(credential)

    const outcomes = await writeFor(2600)

    expect(outcomes.every((outcome) => outcome.kind === 'written')).toBe(true)
    expect(credential.asked).toBeGreaterThanOrEqual(3)
    expect(writer.stats().retries).toEqual({})
  })

  it('continues with another token when the service rejects a token as expired before its reported expiry', async () => {
    const credential = createCredential({ livesMs: 1200, reportedMs: 3_600_000 })
    writer = await open(credential)

    const outcomes = await writeFor(2200)

    expect(outcomes.every((outcome) => outcome.kind === 'written')).toBe(true)
    expect(Object.keys(writer.stats().retries)).toEqual(['401'])
    expect(credential.asked).toBeGreaterThan(1)
  })

  it('uses its token while no new token is available', async () => {
    const credential = createCredential({ livesMs: 3000 })
    writer = await open(credential)
    await writer.write(operation('first'))
    await sleep(1600)
    credential.isAway = true

    // half of the token's lifetime is over, so the writer tries to renew it
    const outcomes = await writeFor(600)
    credential.isAway = false

    expect(outcomes.every((outcome) => outcome.kind === 'written')).toBe(true)
    expect(writer.stats().retries).toEqual({})
  })

  it('waits while no token is available, and fails operations that wait too long', async () => {
    const credential = createCredential({ livesMs: 1000 })
    writer = await open(credential, { retryForMs: 400 })
    credential.isAway = true
    await sleep(1100)

    await expect(writer.write(operation('x'))).rejects.toMatchObject({ code: 'COSMOS_UNAVAILABLE', retriable: true })
    credential.isAway = false
    expect(await writer.write(operation('x'))).toMatchObject({ kind: 'written' })
  })

  it('reports that the provisioned throughput is unknown without a role for offers', async () => {
    writer = await open(createCredential({ livesMs: 60_000 }), { share: '100%' })

    expect(writer.warnings.join()).toMatch(/role.*Without a number for `share`/)
  })
})

interface Lifetime {
  readonly livesMs: number
  /** Expiry that the credential reports. Default: the real one. */
  readonly reportedMs?: number
}

function createCredential({
  livesMs,
  reportedMs = livesMs
}: Lifetime): TokenCredential & { asked: number; isAway: boolean } {
  const credential = {
    asked: 0,
    isAway: false,
    getToken: async () => {
      if (credential.isAway) throw new Error('The metadata service does not answer.')
      credential.asked += 1
      const claims = Buffer.from(JSON.stringify({ exp: (Date.now() + livesMs) / 1000 })).toString('base64url')
      return { token: `e30.${claims}.none`, expiresOnTimestamp: Date.now() + reportedMs }
    }
  }
  return credential
}

function open(credential: TokenCredential, more: Partial<WriterOptions> = {}): Promise<Writer> {
  return createWriter({
    endpoint: emulator.endpoint,
    credential,
    agent,
    database: 'd',
    container: 'c',
    share: 20_000,
    ...more
  })
}

function operation(id: string): { readonly kind: 'upsert'; readonly record: object } {
  return { kind: 'upsert', record: { id, pk: id } }
}

async function writeFor(ms: number): Promise<readonly Outcome[]> {
  const writing: Promise<Outcome>[] = []
  for (const untilMs = Date.now() + ms; Date.now() < untilMs;) {
    writing.push(writer!.write(operation(String(writing.length))))
    await sleep(10)
  }
  return Promise.all(writing)
}
