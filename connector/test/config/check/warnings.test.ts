import { expect, test } from 'vitest'
import { LEAST, readText } from '../read-text.ts'

const env = { P: 'hush', COSMOS_KEY: 'a2V5' }

test.each([
  ['plan: { into: /pk, from: [{ field: /date, type: date }] }\n', 'drives: plan/from: A key made of time alone'],
  ['registry: { url: http://localhost:8081 }\n', 'drives: registry is never asked'],
  ['write: { strategy: patch, patch: { members: { n: increment } } }\n', 'drives: write.patch increments'],
  ['rejects: { policy: skip }\n', 'drives: rejects.policy is skip']
])('%j is taken, with a warning', async (more, sentence) => {
  const { warnings } = await readText(LEAST + more)

  expect(warnings).toEqual([expect.stringContaining(sentence)])
})

test('what travels in clear is warned of, but on this machine', async () => {
  const sasl = LEAST.replace('topics', 'sasl: { mechanism: plain, username: me, password: "${env:P}" }\n  topics')
  const elsewhere = sasl.replace('localhost:9092', 'broker:9092').replace('http://127.0.0.1:8081/', 'http://cosmos:8081/')

  expect((await readText(sasl, { env })).warnings).toEqual([])
  expect((await readText(elsewhere, { env })).warnings).toEqual([
    'drives: kafka.tls is false, and kafka.sasl sends a password: whoever listens on the network can read it.',
    'drives: cosmos.endpoint is http: whoever listens on the network can read the documents.'
  ])
})
