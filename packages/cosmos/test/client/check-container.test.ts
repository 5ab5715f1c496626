import { createPlan, type Plan } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { checkContainer, type ContainerDefinition } from '../../src/client/container.ts'
import { keysFromRecord } from '../../src/writer/keys-from-record.ts'

function planInto(...paths: readonly string[]): Plan {
  const levels = paths.map((into) => ({ into, from: [{ field: '/day' }] }))
  return createPlan({ levels }) as Plan
}

function keyedBy(...paths: readonly string[]): ContainerDefinition {
  const kind = paths.length > 1 ? 'MultiHash' : 'Hash'
  return { rid: 'r', partitionKey: { paths, kind, version: 2 }, defaultTtl: undefined, uniqueKeys: [] }
}

describe('the key path of a plan and the key path of a container', () => {
  it('match even if the container quotes names in its path', () => {
    expect(() => checkContainer(keyedBy('/pk'), planInto('/pk'))).not.toThrow()
    expect(() => checkContainer(keyedBy('/"pk"'), planInto('/pk'))).not.toThrow()
    expect(() => checkContainer(keyedBy('/a/"b c"/d'), planInto('/a/b c/d'))).not.toThrow()
    expect(() => checkContainer(keyedBy('/a/"b/c"'), planInto('/a/b~1c'))).not.toThrow()
    expect(() => checkContainer(keyedBy('/a', '/"b-c"'), planInto('/a', '/b-c'))).not.toThrow()
  })

  it('differ if names, levels or their order differ', () => {
    for (const [container, plan] of [
      [keyedBy('/pk'), planInto('/key')],
      [keyedBy('/a/b'), planInto('/a~1b')],
      [keyedBy('/a,/b'), planInto('/a', '/b')],
      [keyedBy('/a', '/b'), planInto('/b', '/a')],
      [keyedBy('/a', '/b'), planInto('/a')]
    ] as const) {
      expect(() => checkContainer(container, plan)).toThrow('Change `into` in the plan')
    }
  })
})

describe('a key in the record, at the key path of the container', () => {
  it('is read even if the container quotes the name of the property', () => {
    const keys = keysFromRecord({ paths: ['/a/"b c"'], kind: 'Hash', version: 2 })

    expect(keys.stampBytes(Buffer.from('{"id":"x","a":{"b c":"k"}}'))).toMatchObject({
      ok: true,
      values: ['k'],
      splices: []
    })
    expect(keys.stamp({ id: 'x', a: { 'b c': 'k' } })).toMatchObject({ ok: true, values: ['k'] })
  })
})
