import type { RecordCode } from '../errors/record-codes.ts'
import { type Rejection, reject } from '../errors/rejection.ts'
import { pointerText } from '../parse/pointer.ts'
import type { Pointer } from '../plan/compiled.ts'
import type { Substitutes } from '../plan/rules.ts'

/** What the plan puts in the place of a value that it refuses, or the rejection. */
export function substitute(code: RecordCode, use: Substitutes, pointer: Pointer): string | Rejection {
  const text = code === 'FIELD_MISSING' ? use.missing : code === 'FIELD_NULL' ? use.null : use.wrongType
  return text ?? reject(code, pointerText(pointer))
}
