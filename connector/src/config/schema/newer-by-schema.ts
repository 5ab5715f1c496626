import * as z from 'zod'
import type { NewerBySettings } from '../settings.ts'
import { never, pointer, wholeSeconds } from './units.ts'

/** 30 days, in seconds. */
const MARKER_TTL = 30 * 86_400

/** The key `write.newerBy`. */
export const newerBy: z.ZodType<NewerBySettings> = z.strictObject({
  order: z
    .union(
      [z.enum(['timestamp', 'offset']), pointer.transform((field) => ({ field }))],
      'must be timestamp, offset, or a JSON pointer such as /version'
    )
    .meta({
      title: '`timestamp`, `offset`, or a JSON pointer',
      description:
        'Value that orders the changes of a document: the Kafka timestamp, the offset (within one partition), or a field of the record: a number within 2^53, an integer as text, or a time in ISO 8601. Equal values are ordered by the offset, within one partition.',
      examples: ['/version']
    }),
  ties: z.enum(['first', 'last', 'reject']).default('reject').meta({
    description:
      'Choice if it is not known which change is newer: `first` keeps the stored document, `last` replaces it, `reject` rejects the record with ORDER_UNKNOWN.'
  }),
  markerTtl: z.union([never, wholeSeconds], 'must be a duration such as 30d, or never').default(MARKER_TTL).meta({
    title: 'duration, or `never`',
    description:
      'Time for which the marker of a deleted document is kept. It must be longer than the retention of the topics and the longest replay: when the marker has expired, an older record stores the document again.'
  })
})
