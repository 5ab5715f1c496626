import { Readable } from 'node:stream'
import { isKeystampError } from '@keystamp/core'
import { shuffle } from '@keystamp/core/internal'
import { codecOf } from './codec.ts'
import { formOf, type ReadFormat } from './read-input.ts'
import { recognizeInput } from './recognize-input.ts'
import { hasEvenQuotes, type SampledFile, sampleLines } from './sample-lines.ts'

export interface SampleRecordsOptions {
  readonly count: number
  /** Seeded source of numbers from 0 up to, but not including, 1. */
  readonly random: () => number
  readonly signal: AbortSignal
}

/**
 * Draws records of uncompressed files of lines or CSV at random positions, in random order: each record has the same
 * probability. Returns undefined if the files must be read whole, or if that is cheaper.
 */
export async function sampleRecords(
  names: readonly string[],
  format: ReadFormat,
  options: SampleRecordsOptions
): Promise<readonly Uint8Array[] | undefined> {
  const forms = new Set(names.map((name) => formOf(name, format)))
  const [form] = forms
  const canSeek = names.every((name) => name !== '-' && codecOf(name) === undefined)
  if (!canSeek || forms.size !== 1 || form === 'array') return undefined
  const { maxRecordBytes } = format
  const onHead = (name: string, bytes: Buffer): void => recognizeInput(name, bytes, form)
  const files = await sampleLines(names, { ...options, maxRecordBytes, hasHeader: form === 'csv', onHead })
  if (files === undefined) return undefined
  if (form === 'lines')
    return shuffle(
      files.flatMap(({ lines }) => lines),
      options.random
    )
  const records: Uint8Array[] = []
  for (const file of files) {
    const converted = await convertCsv(file, format, options.signal)
    if (converted === undefined) return undefined
    records.push(...converted)
  }
  return shuffle(records, options.random)
}

/** Converts lines of CSV to JSON; undefined if a record takes several lines, of which a draw finds only one. */
async function convertCsv(
  { header, lines }: SampledFile,
  { delimiter, maxRecordBytes }: ReadFormat,
  signal: AbortSignal
): Promise<readonly Uint8Array[] | undefined> {
  if (!lines.every(hasEvenQuotes)) return undefined
  const lineEnd = Buffer.from('\n')
  const text = Readable.from([header, ...lines.flatMap((line) => [line, lineEnd])])
  const records: Uint8Array[] = []
  const { readRecords } = await import('./read-records.ts')
  try {
    for await (const batch of readRecords(text, { form: 'csv', delimiter, maxRecordBytes, signal })) {
      if (batch.some(({ rejection }) => rejection !== undefined)) return undefined
      for (const { bytes } of batch) records.push(Uint8Array.from(bytes))
    }
  } catch (error) {
    if (isKeystampError(error)) return undefined
    throw error
  }
  return records
}
