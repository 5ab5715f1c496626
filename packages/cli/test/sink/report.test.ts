import type { Sample, SampleOutcome } from '@keystamp/connector'
import { expect, test } from 'vitest'
import { describeReport } from '../../src/sink/check-sinks.ts'

test('a report of keystamp sink --check escapes control sequences in records', () => {
  const hostile = '\u001b]0;pwned\u0007\u001b[2J\u009b31m\u202etxt\nnext line'
  const stored = sample({ kind: 'stored', container: 'drives', operation: 'upsert', key: [hostile], id: hostile })
  const text = describeReport({
    ok: true,
    sinks: [{ name: 'drives', findings: [], samples: [{ ...stored, document: hostile }] }]
  })

  // oxlint-disable-next-line no-control-regex -- the pattern looks for control characters
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  expect(text).toContain(String.raw`\u001b]0;pwned\u0007\u001b[2J\u009b31m\u202etxt\nnext line`)
})

test('a report of keystamp sink --check has a line for each check and for each record', () => {
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
          {
            ...sample({ kind: 'stored', container: 'drives', operation: 'upsert', key: ['k'], id: 'a' }),
            document: '{"id":"a"}'
          },
          sample({ kind: 'stored', container: 'drives', operation: 'patch', key: ['k', 2], id: undefined }),
          sample({ kind: 'ignored' }),
          sample({ kind: 'rejected', stage: 'map', code: 'FIELD_MISSING', message: 'A field is missing: /vin.' })
        ]
      }
    ]
  })

  expect(text).toBe(`drives
  ok       Kafka answers.
  warning  It is small.
  FAILED   There is no topic dead.
  record   drives, partition 1, offset 7 (next): upsert in drives, key "k", id "a"
           {"id":"a"}
  record   drives, partition 1, offset 7 (next): patch in drives, key ["k",2], id null
  record   drives, partition 1, offset 7 (next): ignored
  record   drives, partition 1, offset 7 (next): rejected, FIELD_MISSING: A field is missing: /vin.

Some checks failed: see FAILED.
`)
})

function sample(becomes: SampleOutcome): Sample {
  return { topic: 'drives', partition: 1, offset: '7', isNext: true, becomes }
}
