import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openSinkHooks } from '../../src/rekey/sink-hooks.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

const PLAN = { into: '/vin', from: [{ field: '/vin' }] }
const ACCOUNT = { endpoint: 'http://127.0.0.1:8081/', database: 'fleet' }
const MOVE = { from: { ...ACCOUNT, container: 'drives' }, to: { ...ACCOUNT, container: 'drives-2' }, plan: PLAN }
const COSMOS = `cosmos: { endpoint: 'http://127.0.0.1:8081/', database: fleet, container: drives }`
const TARGET = `{ container: drives-2, plan: ${JSON.stringify(PLAN)} }`

describe('the sinks that follow a move', () => {
  const path = useTemporaryFolder()

  it.each([
    ['has no `move`', '', /has no sink of that kind/],
    [
      'writes to another container than --from',
      `move: { name: a, to: ${TARGET} }\ncosmos: { endpoint: 'http://127.0.0.1:8081/', database: fleet, container: others }`,
      /`cosmos` is not the container of --from\.$/
    ],
    [
      'switches to another container than --to',
      `move: { name: a, to: ${TARGET.replace('drives-2', 'drives-3')} }`,
      /`move\.to` is not the container of --to\.$/
    ],
    [
      'switches to another plan than --plan',
      `move: { name: a, to: ${TARGET.replaceAll('/vin', '/day')} }`,
      /`move\.to\.plan` is not the plan of --plan\.$/
    ]
  ])('are refused before anything is sent if the sink %s', async (_what, more, message) => {
    const cosmos = more.includes('cosmos') ? '' : COSMOS
    writeFileSync(
      path('sink.yaml'),
      `name: drives\nkafka: { brokers: [localhost:9], topics: [drives] }\n${cosmos}\n${more}\n`
    )
    const options = { move: MOVE, runHook: async () => ({ isDone: true }) as const, env: {}, onStep: () => undefined }

    await expect(openSinkHooks(path('sink.yaml'), options)).rejects.toThrow(message)
  })
})
