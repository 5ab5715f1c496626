// Helpers that the packages of Keystamp share. Not public: they change without notice, and without a line in
// CHANGELOG.md.
export {
  type Clock,
  createClock,
  type StopSignal,
  type SystemClock,
  type Timers,
  waitFor,
  withTimeout
} from './clock.ts'
export { type Change, type ChangeOptions, type ChangeReader, createChangeReader } from './change/change-reader.ts'
export { systemCode, systemReason } from './errors/system-reason.ts'
export { componentAt, createFieldReader, type FieldReader } from './json/field-reader.ts'
export { type Schema, schemaComplaints } from './json/json-schema.ts'
export { MemberTable, readProperty } from './json/member-table.ts'
export { type Backoff, backoffMs, retry, type RetryOptions } from './retry.ts'
export { createRunTime, type RunTime } from './run-time.ts'
export { Mistakes } from './plan/mistakes.ts'
export { parsePlan } from './plan/parse-plan.ts'
export { type ComponentRules, isIdLevel, type LevelRules, passThroughField, type VersionRules } from './plan/rules.ts'
export {
  BYTE_ORDER_MARK_BYTES,
  BYTE_ORDER_MARK_START,
  skipByteOrderMark,
  withoutByteOrderMark,
  withoutTextByteOrderMark
} from './text/byte-order-mark.ts'
export {
  BACKSLASH,
  CARRIAGE_RETURN,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  DOT,
  MINUS,
  NEWLINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
  ZERO
} from './text/characters.ts'
export { shuffle } from './shuffle.ts'
export { checkOptionNames } from './text/option-names.ts'
export {
  escapePointerToken,
  formatPointer,
  parsePointer,
  type Pointer,
  toFieldPointer,
  unescapePointerToken
} from './text/pointer.ts'
export { suggestField } from './text/suggest-field.ts'
export { decodeUtf8, utf8Length, writeUtf8 } from './text/utf8.ts'
export { parseInstant } from './time/iso-time.ts'
export { KeyReader, type KeyOrigin } from './key-reader.ts'
