import { codecOf } from './codec.ts'
import type { Readable } from 'node:stream'
import { formOfName, type InputForm, recognizeInput } from './recognize-input.ts'
import { inputError } from '../system-error.ts'
import { Piece } from './piece-pool.ts'
import { type InputLine, type InputPosition, readLines } from './read-lines.ts'

/** Format of the records in the inputs. */
export interface ReadFormat {
  /** Undefined: the name of each input decides. */
  readonly form: InputForm | undefined
  readonly pick: string | undefined
  readonly delimiter: string | undefined
  readonly maxRecordBytes: number
}

interface ReadInputOptions {
  readonly from: InputPosition['from']
  readonly stdin: Readable
  readonly signal: AbortSignal
}

/** Returns the format of the input: the one in the options, or else by the name of the input. */
export function formOf(name: string, { form }: Pick<ReadFormat, 'form'>): InputForm {
  return form ?? formOfName(name)
}

/**
 * True if an input can only be read from its beginning: it is compressed, or is an array, in which the start of a later
 * record is not known.
 */
export function isReadFromBeginning(name: string, format: ReadFormat): boolean {
  return codecOf(name) !== undefined || formOf(name, format) === 'array'
}

/**
 * Reads the records of an input in batches. Begins at `from`, or at the beginning if the input can only be read from
 * its beginning.
 */
export function readInput(
  name: string,
  format: ReadFormat,
  options: ReadInputOptions
): AsyncIterable<readonly InputLine[]> {
  const form = formOf(name, format)
  const { maxRecordBytes } = format
  if (form !== 'lines') return readOthers(name, form, format, options)
  const onHead = (bytes: Buffer): void => recognizeInput(name === '-' ? undefined : name, bytes, form)
  return readLines(name, { ...options, maxRecordBytes, onHead })
}

async function* readOthers(
  name: string,
  form: 'array' | 'csv',
  { pick, delimiter, maxRecordBytes }: ReadFormat,
  { from, stdin, signal }: ReadInputOptions
): AsyncGenerator<readonly InputLine[]> {
  const canBegin = form === 'csv' && from.textLine !== undefined && name !== '-' && codecOf(name) === undefined
  const begin = canBegin ? { index: from.line, line: from.textLine, byte: from.byte } : undefined
  const input = name === '-' ? stdin : name
  // lines of JSON need no parser of CSV or arrays, which takes long to load
  const { readRecords } = await import('./read-records.ts')
  try {
    for await (const records of readRecords(input, { form, pick, delimiter, maxRecordBytes, from: begin, signal })) {
      yield records.map(({ bytes, rejection, index, line, byte, end, size }) => ({
        bytes,
        rejection,
        line: index,
        textLine: line,
        byte,
        end,
        size,
        piece: new Piece(bytes)
      }))
    }
  } catch (error) {
    throw inputError(name === '-' ? 'Standard input' : name, error)
  }
}
