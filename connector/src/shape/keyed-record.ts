import type { Decoded } from '../decode/decoder.ts'
import type { SinkRecord } from '../record.ts'

/** What surrounds a document, its key as it was decoded. */
export type KeyedRecord = Omit<SinkRecord, 'key' | 'value'> & Pick<Decoded, 'key'>
