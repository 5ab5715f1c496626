import type { Sample, SampleOutcome } from '@keystamp/connector'
import { expect, test } from 'vitest'
import { describeReport } from '../../src/sink/describe-report.ts'

test('a report has a line for each thing that was looked at, and for each record', () => {
  const text = describeReport({
    ok: false,
    sinks: [
      {
        name: 'drives',
        findings: [
          { of: 'topics', state: 'ok', message: 'Kafka answers.' },
          { of: 'container', state: 'warning', message: 'It is small.' },
          { of: 'rejects', state: 'failed', message: 'There is no topic dead.' }
        ],
        samples: [
          { ...sample({ kind: 'stored', container: 'drives', operation: 'upsert', key: ['k'], id: 'a' }), value: '{"id":"a"}' },
          sample({ kind: 'stored', container: 'drives', operation: 'patch', key: ['k', 2], id: undefined }),
          sample({ kind: 'ignored' }),
          sample({ kind: 'rejected', stage: 'shape', code: 'FIELD_MISSING', message: 'A field is missing: /vin.' })
        ]
      }
    ]
  })

  expect(text).toBe(`drives
  ok       Kafka answers.
  warning  It is small.
  FAILED   There is no topic dead.
  record   drives, partition 1, offset 7: upsert in drives, key "k", id "a"
           {"id":"a"}
  record   drives, partition 1, offset 7: patch in drives, key ["k",2], id null
  record   drives, partition 1, offset 7: ignored
  record   drives, partition 1, offset 7: rejected, FIELD_MISSING: A field is missing: /vin.

Not all is well: see what FAILED.
`)
})

function sample(becomes: SampleOutcome): Sample {
  return { topic: 'drives', partition: 1, offset: '7', becomes }
}
