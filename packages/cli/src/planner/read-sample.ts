import { findInputs, readInput, type ReadFormat } from '@keystamp/files/internal'
import type { Dependencies } from '../dependencies.ts'
import { announceStandardInput, type FormOptions, toForm } from '../shared-options.ts'

/** Bytes of one record. */
export type RecordBytes = Uint8Array

const MAX_RECORD_BYTES = 16 << 20

/** Reads the records of the inputs, in batches. The bytes are valid until the next batch is requested. */
export async function* readSample(
  files: readonly string[],
  options: FormOptions,
  { stdin, stderr, signal }: Pick<Dependencies, 'stdin' | 'stderr' | 'signal'>
): AsyncGenerator<readonly RecordBytes[]> {
  const names = files.length === 0 ? ['-'] : await findInputs(files)
  if (names.includes('-')) announceStandardInput({ stdin, stderr })
  const format = formatOf(options)
  for (const name of names) {
    for await (const lines of readInput(name, format, { from: { line: 0, byte: 0 }, stdin, signal })) {
      const records = lines.flatMap(({ bytes }) => (bytes === undefined || isBlank(bytes) ? [] : [bytes]))
      yield records
      for (const { piece } of lines) piece.release()
    }
  }
}

/** Format of the inputs that the options set. */
export function formatOf(options: FormOptions): ReadFormat {
  const { form } = toForm(options)
  return { form, pick: options.pick, delimiter: undefined, maxRecordBytes: MAX_RECORD_BYTES }
}

function isBlank(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte > 0x20) return false
  return true
}
