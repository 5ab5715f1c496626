import type { CompiledPlan } from '../../src/key/compile-plan.ts'
import type { FieldValue, KeyValue } from '../../src/key/field-value.ts'
import type { Pointer } from '../../src/text/pointer.ts'

/** A plan that reads some fields and writes given values; `seen` has the values that it read. */
export interface ExamplePlan extends CompiledPlan {
  readonly seen: FieldValue[]
}

export function createExamplePlan(
  fields: readonly Pointer[],
  writes: Readonly<Record<string, KeyValue | undefined>>
): ExamplePlan {
  const into = Object.keys(writes).map((path) => path.split('/').slice(1))
  const seen: FieldValue[] = []
  return {
    seen,
    fields: [...fields, ...into],
    managed: into.map((pointer, member) => ({ pointer, field: fields.length + member, written: true })),
    decide: (values) => {
      seen.splice(0, Infinity, ...values.slice(0, fields.length))
      return { ok: true, values: ['key'], id: undefined, version: 0, writes: Object.values(writes) }
    }
  }
}

export const toBytes = (text: string): Uint8Array => new TextEncoder().encode(text)
