import type { CompiledPlan } from '../../../src/key/compile-plan.ts'
import { COMPOSITE, type FieldValue, type KeyValue } from '../../../src/key/field-value.ts'
import { type Pointer } from '../../../src/text/pointer.ts'

/** A plan whose output depends on all of its inputs. It keeps the inputs. */
export interface TorturePlan extends CompiledPlan {
  readonly seen: () => readonly FieldValue[]
}

function createTorturePlan(fields: readonly Pointer[], into: readonly Pointer[]): TorturePlan {
  let last: readonly FieldValue[] = []
  return {
    fields: [...fields, ...into],
    managed: into.map((pointer, member) => ({ pointer, field: fields.length + member, written: true })),
    decide: (values) => {
      last = [...values]
      const text = values.map(describe).join('-')
      const writes = into.map((_, member): KeyValue | undefined => chooseWrite(text, member))
      return { ok: true, values: ['key'], id: undefined, version: 0, writes }
    },
    seen: () => last
  }
}

/** Plans that read and write different paths. */
export const TORTURE_PLANS: readonly TorturePlan[] = [
  createTorturePlan([['deviceId'], ['date']], [['pk']]),
  createTorturePlan([['a', 'b', 'c'], ['a', '0'], ['0', '1'], ['é']], [['a', 'pk'], ['id']]),
  createTorturePlan(
    [['list', '0', 'id'], ['a'], ['__proto__'], ['constructor', 'a']],
    [['pk'], ['a', 'b', 'pk'], ['a', 'b', 'c']]
  ),
  createTorturePlan(
    [['🚗'], ['\ud800'], ['q"x'], ['a/b'], ['', '']],
    [
      ['日本', 'pk'],
      ['__proto__', 'x']
    ]
  ),
  createTorturePlan([['a'], ['a', 'b']], [['b', '0', 'pk'], ['id'], ['ttl']]),
  createTorturePlan([], [])
]

function describe(value: FieldValue): string {
  return value === COMPOSITE ? 'composite' : String(value).slice(0, 40)
}

function chooseWrite(text: string, member: number): KeyValue | undefined {
  const choices: readonly (KeyValue | undefined)[] = [
    `${text}.${member}`.toWellFormed(),
    undefined,
    `"\\${member}\u0001é🚗`,
    text.length,
    member % 2 === 0,
    null
  ]
  return choices[(text.length + member * 7) % 8] ?? (member === 0 ? 'plain-key' : undefined)
}
