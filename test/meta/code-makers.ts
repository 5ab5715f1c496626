import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createPlan,
  createSettledPrefix,
  type ErrorCode,
  partitionHash,
  type PlanDefinition,
  type RecordCode,
  type Source,
  toPosition,
  type WarningCode
} from '@keystamp/core'
import { type ChangeOptions, createChangeReader } from '@keystamp/core/internal'
import { stampFiles } from '@keystamp/files'
import { stampStage } from '@keystamp/stream'
import type { WRITER_ERROR_MAKERS } from './write-code-makers.ts'

const DEVICE: PlanDefinition = { into: '/key', from: [{ field: '/device' }] }
const CUT: PlanDefinition = { ...DEVICE, tooLong: 'reject' }
const MADE_ID: PlanDefinition = { ...DEVICE, id: { from: [{ field: '/device' }] } }
const VERSIONS: PlanDefinition = { ...DEVICE, previous: [{ until: { field: '/at', before: 5 }, plan: DEVICE }] }

/** For every code of a rejected record: a call of the public API that rejects a record with this code. */
export const RECORD_CODE_MAKERS: Readonly<Record<RecordCode, () => unknown>> = {
  JSON_INVALID: () => stampText(DEVICE, '{"device":}'),
  JSON_NOT_OBJECT: () => stampText(DEVICE, '["device"]'),
  JSON_TOO_DEEP: () => stampText(DEVICE, `{"a":${'['.repeat(200)}${']'.repeat(200)}}`),
  // memory that is allocated and never used costs nothing
  JSON_TOO_LARGE: () => createPlan(DEVICE).stampBytes(new Uint8Array(2 ** 30)),
  CSV_COLUMNS: () => inFolder(async (folder) => rejectedOf(folder, 'in.csv', 'device,n\na\n')),
  RECORD_NOT_OBJECT: () => createPlan(DEVICE).stamp('device'),
  RECORD_UNREADABLE: () => stampRecord(DEVICE, Object.freeze({ device: 'a' })),
  FIELD_MISSING: () => stampRecord(DEVICE, {}),
  FIELD_EMPTY: () => stampRecord(DEVICE, { device: '' }),
  FIELD_NULL: () => stampRecord(DEVICE, { device: null }),
  FIELD_WRONG_TYPE: () => stampRecord(DEVICE, { device: ['a'] }),
  NUMBER_INEXACT: () => stampRecord(DEVICE, { device: 2 ** 53 }),
  TEXT_MALFORMED: () => stampRecord(DEVICE, { device: '\ud800' }),
  TIME_INVALID: () => stampRecord({ into: '/key', from: [{ bucket: 'day', of: '/at' }] }, { at: 'yesterday' }),
  SOURCE_MISSING: () => stampRecord({ into: '/key', from: [{ kafka: 'topic' }] }, {}),
  KEY_TOO_LONG: () => stampRecord(CUT, { device: 'a'.repeat(2049) }),
  KEY_FUNCTION_FAILED: () =>
    stampBy(() => {
      throw new Error('not written for this')
    }),
  KEY_NOT_TEXT: () => stampBy(() => undefined as unknown as string),
  KEY_DIFFERS: () => stampRecord(DEVICE, { device: 'a', key: 'b' }),
  INTO_BLOCKED: () => stampRecord({ into: '/meta/key', from: [{ field: '/device' }] }, { device: 'a', meta: 5 }),
  ID_MISSING: () => createPlan(DEVICE, { requireId: true }).stamp({ device: 'a' }),
  ID_NOT_TEXT: () => createPlan(DEVICE, { requireId: true }).stamp({ device: 'a', id: 1 }),
  ID_INVALID: () => createPlan(DEVICE, { requireId: true }).stamp({ device: 'a', id: 'a/b' }),
  ID_TOO_LONG: () => stampRecord(MADE_ID, { device: 'a'.repeat(1024) }),
  ID_DIFFERS: () => stampRecord(MADE_ID, { device: 'a', id: 'b' }),
  BOUNDARY_MISSING: () => stampRecord(VERSIONS, { device: 'a' }),
  OPERATION_MISSING: () => readChange('{"after":{}}'),
  OPERATION_UNKNOWN: () => readChange('{"after":{},"op":"x"}'),
  AFTER_MISSING: () => readChange('{"after":null,"op":"u"}'),
  BEFORE_MISSING: () => readChange('{"op":"d"}', { needsBefore: true }),
  VALUE_UNAVAILABLE: () => readChange('{"after":{"a":"__debezium_unavailable_value"},"op":"u"}'),
  TRUNCATE_REJECTED: () => readChange('{"op":"t"}'),
  MESSAGE_REJECTED: () => readChange('{"op":"m"}', { message: 'reject' }),
  KEY_NOT_DECODABLE: () => createPlan({ ...DEVICE, suffix: { by: '/vin', count: 4 } }).decode('a')
}

function readChange(text: string, options?: ChangeOptions): unknown {
  return createChangeReader(options).read(Buffer.from(text))
}

/** Codes that a single call cannot produce, each with the file of the test that produces it. */
export const THROWN_ELSEWHERE = {
  CHECKPOINT_INVALID: 'packages/files/test/checkpoint/checkpoint.test.ts',
  JOURNAL_INVALID: 'packages/move/test/journal/file-journal.test.ts',
  JOURNAL_IN_USE: 'packages/move/test/journal/folder-lock.test.ts',
  DOCUMENTS_UNMATCHED: 'packages/move/test/compare/matching.test.ts',
  CONFIG_INVALID: 'connector/test/config/config-error.test.ts',
  KAFKA_UNAVAILABLE: 'connector/test/kafka/kafka-errors.test.ts',
  KAFKA_UNAUTHORIZED: 'connector/test/kafka/kafkajs-secure.int.test.ts',
  TOPIC_MISSING: 'connector/test/kafka/contract/starting-and-stopping.ts',
  OFFSETS_LOST: 'connector/test/kafka/contract/reading-on.ts',
  PLAN_CHANGED: 'connector/test/partition/ownership.test.ts',
  REJECTS_FAILED: 'connector/test/dead-letter/dead-letter-topic.test.ts',
  TOLERANCE_EXCEEDED: 'connector/test/dead-letter/rejection-handler.test.ts',
  SINK_STALLED: 'connector/test/lifecycle/stall-watch.test.ts',
  SHUTDOWN_TIMEOUT: 'connector/test/sink-lifecycle.test.ts',
  WRITE_FENCED: 'packages/cosmos/test/writer/fence.test.ts',
  CONTAINER_RECREATED: 'packages/cosmos/test/writer/recreated-container.test.ts'
} as const

/** For every other code of a thrown error, except the writer's: a call of the public API that throws it. */
export const ERROR_CODE_MAKERS: Readonly<
  Record<Exclude<ErrorCode, keyof typeof THROWN_ELSEWHERE | keyof typeof WRITER_ERROR_MAKERS>, () => unknown>
> = {
  PLAN_INVALID: () => createPlan({ into: 'key', from: [] }),
  RANDOM_MISSING: () => stampRecord({ ...DEVICE, suffix: { by: 'random', count: 4 } }, { device: 'a' }),
  PARTS_MISSING: () => createPlan(DEVICE).keyFor({}),
  KEYS_UNBOUNDED: () => createPlan(DEVICE).keysFor({}),
  HASH_INPUT_INVALID: () => partitionHash([Number.NaN], { version: 2 }),
  RECORD_REJECTED: () => stampStage(DEVICE)({}),
  REJECTED_TOO_MANY: () => stampStage(DEVICE, { onError: 'skip', maxRejected: 1 })([{}, {}]),
  INPUT_INVALID: () => inFolder(async (folder) => stampFile(folder, 'in.ndjson.gz', 'no gzip')),
  INPUT_UNREADABLE: () =>
    stampFiles(DEVICE, { inputs: [join(tmpdir(), 'keystamp', 'not', 'there.ndjson')], output: join(tmpdir(), 'out') }),
  OUTPUT_UNWRITABLE: () =>
    inFolder(async (folder) => stampFile(folder, 'in.ndjson', '{"device":"a"}\n', join(folder, 'not', 'there'))),
  OPTION_INVALID: () => stampStage(DEVICE, { onerror: 'skip' } as never),
  INVARIANT_BROKEN: () => createSettledPrefix({ first: toPosition(0) }).settle(toPosition(1))
}

/** For every warning: a plan that causes it. */
export const WARNED_PLANS: Readonly<Record<WarningCode, PlanDefinition>> = {
  DATE_ONLY: { into: '/key', from: [{ field: '/date' }] },
  FEW_KEYS: { into: '/key', from: [{ field: '/open', type: 'boolean' }] },
  SUFFIX_BEHIND_CUT: { ...DEVICE, hashVersion: 1, suffix: { by: '/vin', count: 400 } },
  MUTABLE_INPUT: { into: '/key', from: [{ field: '/device' }, { field: '/status' }] },
  RANDOM_SUFFIX: { ...DEVICE, suffix: { by: 'random', count: 400 } },
  NAMED_ZONE: { into: '/key', from: [{ field: '/device' }, { bucket: 'day', of: '/at', zone: 'Europe/Berlin' }] },
  KEEPS_EXISTING: { ...DEVICE, existing: 'keep' }
}

function stampRecord(definition: PlanDefinition, record: object, source?: Source): unknown {
  return createPlan(definition).stamp(record, source)
}

function stampText(definition: PlanDefinition, text: string): unknown {
  return createPlan(definition).stampBytes(new TextEncoder().encode(text))
}

function stampBy(key: () => string): unknown {
  let rejection: unknown
  stampStage(key, { into: '/key', onError: (rejected) => (rejection = rejected) })({})
  return rejection
}

async function inFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'keystamp-codes-'))
  try {
    return await run(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function stampFile(
  folder: string,
  name: string,
  content: string,
  outputFolder: string = folder
): Promise<unknown> {
  const input = join(folder, name)
  await writeFile(input, content)
  return stampFiles(DEVICE, { inputs: [input], output: join(outputFolder, 'out.ndjson') })
}

async function rejectedOf(folder: string, name: string, content: string): Promise<unknown> {
  const input = join(folder, name)
  await writeFile(input, content)
  let rejection: unknown
  await stampFiles(DEVICE, {
    inputs: [input],
    output: join(folder, 'out.ndjson'),
    onError: (rejected) => (rejection = rejected)
  })
  return rejection
}
