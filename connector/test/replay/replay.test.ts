import { describe, expect, it } from 'vitest'
import { permitReplay } from '../../src/replay/replay.ts'
import { MINIMAL, readText } from '../config/read-text.ts'

async function permit(yaml: string): Promise<unknown> {
  const { sinks } = await readText(`${MINIMAL}${yaml}`)
  const permission = permitReplay(sinks[0])
  return typeof permission === 'string' ? permission : `${permission.by}: ${permission.settings.write.strategy}`
}

describe('dead letters', () => {
  it.each([
    ['write: { newerBy: { order: timestamp } }', 'newest: overwrite'],
    ['write: { newerBy: { order: offset }, tombstones: delete }\nid: { strategy: fullKey }', 'newest: overwrite'],
    ['write: { metadata: { into: _k, fields: [offset, topic, partition] } }', 'offset: overwrite'],
    ['write: { metadata: { into: _k } }\nid: { strategy: metadata }', 'create: append'],
    ['write: { strategy: append }', 'create: append'],
    ['id: { strategy: metadata }', 'create: append'],
    ["id: { strategy: template, template: '${topic}_${partition}_${offset}' }", 'create: append'],
    [
      'plan: { into: /pk, from: [{ field: /a }], id: { from: [{ kafka: topic }, { kafka: partition }, { kafka: offset }] } }',
      'create: append'
    ]
  ])('can be replayed with %s', async (yaml, by) => {
    expect(await permit(yaml)).toBe(by)
  })

  it.each([
    [
      'write: { metadata: { fields: [topic, offset] } }',
      'with `write.metadata` that stores topic, partition and offset'
    ],
    ['write: { metadata: {}, tombstones: delete }\nid: { strategy: fullKey }', 'a deleted document leaves no trace'],
    ['write: { metadata: {}, strategy: patch }', 'with `write.strategy: append`'],
    [
      'write: { metadata: {}, rehome: { before: /old } }\nplan: { into: /pk, from: [{ field: /a }] }',
      'under another key (`write.rehome`)'
    ],
    ['', 'with `write.strategy: append`, or with ids made of topic, partition and offset'],
    ['write: { strategy: patch }\nid: { strategy: metadata }', 'with `write.strategy: append`'],
    ['write: { strategy: delete }\nid: { strategy: metadata }', 'with `write.strategy: append`'],
    ["id: { strategy: template, template: '${topic}_${partition}${offset}' }", 'with `write.strategy: append`'],
    ["id: { strategy: template, template: '${topic}_${partition}' }", 'with `write.strategy: append`'],
    ['id: { strategy: fullKey }', 'with `write.strategy: append`'],
    [
      'write: { strategy: append, tombstones: delete }\nid: { strategy: fullKey }',
      'a deleted document leaves no trace'
    ],
    [
      'id: { strategy: metadata }\nwrite: { operation: { field: /op, values: { D: delete } } }',
      'a deleted document leaves no trace'
    ],
    ['write: { strategy: append, atomic: true }', '`write.atomic`'],
    ['write: { newerBy: { order: timestamp }, atomic: true }', '`write.atomic`'],
    [
      'write: { newerBy: { order: timestamp } }\nallowDuplicatesOnReplay: true\nplan: { into: /pk, from: [{ field: /a }], suffix: { by: random, count: 4 } }',
      'with a random suffix'
    ],
    [
      'move: { name: m, to: { container: other, plan: { into: /pk, from: [{ field: /b }] } } }\nwrite: { strategy: append }\nplan: { into: /pk, from: [{ field: /a }] }',
      '`move`'
    ]
  ])('cannot be replayed with %j: a sentence names the options', async (yaml, why) => {
    expect(await permit(yaml)).toContain(why)
  })
})
