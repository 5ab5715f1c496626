import type { RecordCode } from '../errors/record-codes.ts'
import { type Rejection, reject } from '../errors/rejection.ts'
import { pointerText } from '../parse/pointer.ts'
import type { Pointer } from '../plan/compiled.ts'
import type { Substitutes } from '../plan/rules.ts'

/** What the plan puts in the place of a value that it refuses, or the rejection. */
export function substitute(code: RecordCode, use: Substitutes, pointer: Pointer): string | Rejection {
  return standIn(code, use) ?? reject(code, pointerText(pointer))
}

// A broken value is never replaced: an inexact number is exact in JSON bytes, where the same record would get another key.
function standIn(code: RecordCode, use: Substitutes): string | undefined {
  if (code === 'FIELD_MISSING') return use.missing
  if (code === 'FIELD_NULL') return use.null
  return code === 'FIELD_WRONG_TYPE' || code === 'TIME_INVALID' ? use.wrongType : undefined
}
