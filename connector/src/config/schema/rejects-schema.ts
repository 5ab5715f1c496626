import * as z from 'zod'
import type { CommitSettings, RejectSettings } from '../settings.ts'
import { topicName } from './kafka-schema.ts'
import { duration } from './units.ts'

export const rejectsSchema: z.ZodType<RejectSettings> = z
  .strictObject({
    policy: z.enum(['copy', 'skip', 'stop']).optional().meta({
      description:
        'What becomes of a rejected record: copied whole and gone on, skipped without a copy, or the sink stops. Default: `copy` where a topic or file is named, else `stop`.'
    }),
    topic: topicName.optional().meta({
      description:
        'The dead letter topic. It must exist, and keep what it gets: copies have the timestamps of their records, so retention by time takes those of old records away at once, unless the topic writes its own (`message.timestamp.type=LogAppendTime`). Compaction refuses copies without a key.'
    }),
    file: z.string().min(1).optional().meta({
      description:
        'Or a file: a line of JSON for each record, with key and value in base64. It holds payloads; only its owner may read it. Relative to the configuration.'
    }),
    tooLarge: z.enum(['stop', 'withoutValue', 'skip']).default('stop').meta({
      description: 'What becomes of a copy that the broker refuses as too large.'
    }),
    tolerance: z
      .strictObject({
        percent: z.number().min(0).max(100).default(50).meta({ description: 'Per cent; at 100 the sink never stops for it.' }),
        window: z.int().min(10).max(10_000_000).default(1000).meta({ description: 'Of how many records.' })
      })
      .prefault({})
      .meta({
        description: 'Stop when more of the last records were rejected than this: then the configuration is at fault, not single records.'
      })
  })
  .prefault({})
  .transform(({ policy, topic, file, tooLarge, tolerance }) => {
    const chosen = policy ?? (topic === undefined && file === undefined ? 'stop' : 'copy')
    return { policy: chosen, topic, file, tooLarge, tolerance: chosen === 'stop' || tolerance.percent === 100 ? undefined : tolerance }
  })

export const commitSchema: z.ZodType<CommitSettings> = z
  .strictObject({
    every: duration({ or: '5s', least: '100ms', most: '10m', says: 'How often positions are committed.' }),
    everyRecords: z.int().min(1).max(10_000_000).default(10_000).meta({ description: 'And after how many records.' })
  })
  .prefault({} as never)
  .transform(({ every, everyRecords }) => ({ everyRecords, everyMs: every }))
