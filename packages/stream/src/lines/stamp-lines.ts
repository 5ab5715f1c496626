import { checkOptionNames } from '@keystamp/core/internal'
import { driveBytes } from '../bytes/drive-bytes.ts'
import type { BytesOptions } from '../bytes/bytes-options.ts'
import { BYTES_OPTIONS, KEY_OPTIONS, REJECT_OPTIONS, STREAM_OPTIONS } from '../flow/option-names.ts'
import { createTransform, type StageTransform } from '../flow/create-transform.ts'
import type { StreamOptions } from '../flow/stream-options.ts'
import type { KeyOptions, KeySource } from '../key/key-source.ts'
import { toKeyStamper } from '../key/to-key-stamper.ts'
import { createLineStage } from './line-stage.ts'

/** What `stampLines` can be told; `into` and `existing` go with a key function. */
export type StampLinesOptions = StreamOptions<string> & Pick<BytesOptions, 'maxRecordBytes'> & KeyOptions

/**
 * A stream of lines of JSON: every record gets its key, and stays byte for byte as it came in otherwise.
 * Any chunking, CRLF, blank lines, a byte order mark and a missing last line end are fine; what is not valid JSON is rejected by its line number.
 */
// oxlint-disable-next-line no-explicit-any -- a key function says itself what it takes
export function stampLines<R = any>(source: KeySource<R>, options: StampLinesOptions = {}): StageTransform {
  checkOptionNames(options, [...KEY_OPTIONS, ...REJECT_OPTIONS, ...BYTES_OPTIONS, ...STREAM_OPTIONS])
  const stamper = toKeyStamper(source, options)
  return createTransform<string>(
    (reject) => driveBytes(createLineStage(stamper, { ...reject, maxRecordBytes: options.maxRecordBytes })),
    options,
    false
  )
}
