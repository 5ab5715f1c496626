import { createSecret } from '../../src/config/secrets.ts'
import { createAuthGrace } from '../../src/lifecycle/auth-grace.ts'
import { describe, expect, it } from 'vitest'

import { isKeystampError } from '@keystamp/core'

import { found, missing, registryOf, SETTINGS } from './registry-of.ts'

const unreachable = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

describe('a schema registry', () => {
  it('gets one request for a schema id, however many records wait for the schema', async () => {
    const { registry, asked } = registryOf(() => found('int'))

    await Promise.all([registry.learn(7), registry.learn(7), registry.learn(7)])

    expect(asked).toEqual([{ path: '/schemas/ids/7', authorization: null }])
    expect(registry.known(7)).toEqual({ type: 'AVRO', schema: 'int', references: [] })
    expect(registry.known(8)).toBeUndefined()
  })

  it('gets the credentials with each request', async () => {
    const basic = registryOf(() => found('int'), { ...SETTINGS, username: 'us', password: createSecret('pä:ss') })
    const bearer = registryOf(() => found('int'), { ...SETTINGS, token: createSecret('t0ken') })

    await Promise.all([basic.registry.learn(1), bearer.registry.learn(1)])

    expect(basic.asked[0].authorization).toBe(`Basic ${Buffer.from('us:pä:ss').toString('base64')}`)
    expect(bearer.asked[0].authorization).toBe('Bearer t0ken')
  })

  it('is retried with growing delays while it cannot be reached, and reports why it waits', async () => {
    const reasons: (string | undefined)[] = []
    const scripted = registryOf((_path, attempt) => {
      reasons.push(scripted.registry.waitingFor)
      if (attempt === 1) return unreachable
      if (attempt === 2) return { status: 503, body: 'busy' }
      if (attempt === 3) return Object.assign(new Error('late'), { name: 'TimeoutError' })
      if (attempt === 4) return { status: 404, body: '<html>' }
      if (attempt === 5) return { status: 404, body: { error_code: 404, message: 'HTTP 404 Not Found' } }
      if (attempt === 6) return { status: 200, body: '<html>' }
      if (attempt === 7) return { status: 200, body: [1] }
      if (attempt < 20) return unreachable
      return found('int')
    })

    await scripted.registry.learn(1)

    expect(reasons.slice(0, 8)).toEqual([
      'the schema registry has not answered yet',
      'the schema registry at http://registry.test:8081 cannot be reached (ECONNREFUSED)',
      'the schema registry at http://registry.test:8081 answers with status 503',
      'the schema registry at http://registry.test:8081 does not answer within 1000 ms',
      'the server at http://registry.test:8081 answers with status 404 and is probably not a schema registry: check `registry.url`',
      'the server at http://registry.test:8081 answers with status 404 and is probably not a schema registry: check `registry.url`',
      'the server at http://registry.test:8081 answers with status 200 and is probably not a schema registry: check `registry.url`',
      'the schema registry answers without a schema'
    ])
    expect(scripted.registry.waitingFor).toBeUndefined()
    expect(scripted.waits.slice(0, 4)).toEqual([200, 400, 800, 1600])
    expect(scripted.waits.at(-1)).toBe(30_000)
  })

  it('that does not know an id gets a second request, since the schema may have been registered meanwhile', async () => {
    const late = registryOf((_path, attempt) => (attempt === 1 ? missing : found('int')))

    await late.registry.learn(1)

    expect(late.registry.known(1)).toHaveProperty('type', 'AVRO')
    expect(late.waits).toEqual([500])
  })

  it('that does not know an id gets no further request for ten seconds', async () => {
    const scripted = registryOf((_path, attempt) => (attempt <= 2 ? missing : found('int')))
    await scripted.registry.learn(1)

    expect(scripted.registry.known(1)).toMatchObject({ type: 'unusable', failure: { code: 'SCHEMA_UNKNOWN' } })
    scripted.pass(10_000)
    expect(scripted.registry.known(1)).toBeUndefined()

    await scripted.registry.learn(1)
    expect(scripted.registry.known(1)).toHaveProperty('type', 'AVRO')
  })

  it('gets the request again with rotated credentials if it accepted the former credentials', async () => {
    const token = createSecret('old')
    const auth = createAuthGrace({ clock: { now: () => 0 }, graceMs: 1000, reread: async () => token.replace('new') })
    const { registry, asked } = registryOf(
      (path, times) => (path.endsWith('/1') || times > 1 ? found('int') : { status: 401, body: {} }),
      { ...SETTINGS, token },
      auth
    )
    await registry.learn(1)
    await registry.learn(2)

    expect(asked.map(({ authorization }) => authorization)).toEqual(['Bearer old', 'Bearer old', 'Bearer new'])
  })

  it.each([401, 403])('that refuses the credentials stops the sink: %d', async (status) => {
    const { registry } = registryOf(() => ({ status, body: {} }), { ...SETTINGS, token: createSecret('t0ken') })

    const error = await registry.learn(1).catch((thrown: unknown) => thrown)

    expect(isKeystampError(error)).toBe(true)
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining(String(status)) as string })
    expect(String(error)).not.toContain('t0ken')
    expect(registry.waitingFor).toBeUndefined()
  })

  it('gets no request after its client is closed, and pending requests are never answered', async () => {
    let isAnswered = false
    const scripted = registryOf((_path, attempt) => {
      if (attempt === 3) scripted.registry.close()
      return unreachable
    })

    void scripted.registry.learn(1).finally(() => (isAnswered = true))
    await new Promise((resolve) => setTimeout(resolve, 20))

    expect(scripted.asked).toHaveLength(3)
    expect(isAnswered).toBe(false)
    expect(scripted.registry.waitingFor).toBeUndefined()
  })

  it('has a cache of limited size, which drops the oldest schemas', async () => {
    const { registry } = registryOf(() => found('int'))

    await Promise.all(Array.from({ length: 1500 }, (_, id) => registry.learn(id)))

    expect(registry.known(0)).toBeUndefined()
    expect(registry.known(1499)).toBeDefined()
  })
})

describe('a schema from the registry', () => {
  it('is returned with its references, each once and before the schemas that need it', async () => {
    const answers: Readonly<Record<string, object>> = {
      '/schemas/ids/1': {
        references: [
          { name: 'B', subject: 'b/é', version: 2 },
          { name: 'C', subject: 'c', version: 1 }
        ]
      },
      '/subjects/b%2F%C3%A9/versions/2': { references: [{ name: 'C', subject: 'c', version: 1 }] },
      '/subjects/c/versions/1': {}
    }
    const { registry, asked } = registryOf((path) => found(path, answers[path]))

    await registry.learn(1)

    expect(registry.known(1)).toEqual({
      type: 'AVRO',
      schema: '/schemas/ids/1',
      references: ['/subjects/c/versions/1', '/subjects/b%2F%C3%A9/versions/2']
    })
    expect(asked).toHaveLength(3)
  })

  it('can be used if it refers to itself, but not if references are missing or too many', async () => {
    const itself = registryOf((path) => found(path, { references: [null, { subject: 'a', version: 1 }] }))
    const missed = registryOf((path) =>
      path.startsWith('/schemas') ? found(path, { references: [{ subject: 'a', version: 1 }] }) : missing
    )
    const many = registryOf((path) => found(path, { references: [{ subject: `${path}a`, version: 1 }] }))

    await Promise.all([itself.registry.learn(1), missed.registry.learn(1), many.registry.learn(1)])

    expect(itself.registry.known(1)).toHaveProperty('type', 'AVRO')
    expect(missed.registry.known(1)).toHaveProperty('type', 'unusable')
    expect(many.registry.known(1)).toHaveProperty('type', 'unusable')
  })

  it.each([
    ['PROTOBUF', 'Protobuf'],
    ['THRIFT', 'a type that this sink does not read']
  ])('of another type is refused in a sentence: %s', async (schemaType, words) => {
    const { registry } = registryOf(() => found('x', { schemaType }))

    await registry.learn(5)

    expect(registry.known(5)).toMatchObject({
      type: 'unusable',
      failure: { message: expect.stringContaining(words) as string }
    })
  })
})
