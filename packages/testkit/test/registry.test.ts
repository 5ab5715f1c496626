import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RegistryHandle, startRegistry } from '../src/registry.ts'

let registry: RegistryHandle

beforeEach(async () => {
  registry = await startRegistry()
})

afterEach(() => registry.stop())

describe('startRegistry', () => {
  it('starts a registry that returns the same id when the same schema is registered again', async () => {
    expect(await post('trips-value', { schema: '"string"' })).toEqual({ status: 200, body: { id: 1 } })
    expect(await post('trips-value', { schema: '{"type":"object"}', schemaType: 'JSON' })).toEqual({
      status: 200,
      body: { id: 2 }
    })
    expect(await post('trips-key', { schema: '"string"' })).toEqual({ status: 200, body: { id: 1 } })
  })

  it('starts a registry that returns the schema of an id and the latest version of a subject, with the type only if the type is not Avro', async () => {
    registry.register('trips-value', '"string"')
    registry.register('trips-value', '{}', 'JSON')

    expect(await get('/schemas/ids/1')).toEqual({ status: 200, body: { schema: '"string"' } })
    expect(await get('/schemas/ids/2')).toEqual({ status: 200, body: { schema: '{}', schemaType: 'JSON' } })
    expect(await get('/subjects/trips-value/versions/latest')).toMatchObject({ body: { id: 2, version: 2 } })
    expect(await get('/subjects')).toEqual({ status: 200, body: ['trips-value'] })
  })

  it('starts a registry that refuses requests with the error codes of a schema registry', async () => {
    expect(await get('/schemas/ids/7')).toMatchObject({ status: 404, body: { error_code: 40_403 } })
    expect(await get('/subjects/none/versions/latest')).toMatchObject({ status: 404, body: { error_code: 40_401 } })
    expect(await post('trips-value', { schema: '"string"', references: [{}] })).toMatchObject({ status: 422 })
  })

  it('starts a registry that answers 503 while it is down, and also counts these requests', async () => {
    registry.register('trips-value', '"string"')
    registry.down(true)

    expect(await get('/schemas/ids/1')).toMatchObject({ status: 503 })

    registry.down(false)
    expect(await get('/schemas/ids/1')).toMatchObject({ status: 200 })
    expect(registry.requests()).toBe(2)
  })
})

async function get(path: string): Promise<unknown> {
  return read(await fetch(registry.url + path))
}

async function post(subject: string, body: object): Promise<unknown> {
  return read(
    await fetch(`${registry.url}/subjects/${subject}/versions`, { method: 'POST', body: JSON.stringify(body) })
  )
}

async function read(response: Response): Promise<unknown> {
  return { status: response.status, body: await response.json() }
}
