import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { followedSinksIn, rememberedSinks, rememberSinks } from '../../src/rekey/followed-sinks.ts'
import { createSinkHooks } from '../../src/rekey/sink-hooks.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

const PLAN = { into: '/vin', from: [{ field: '/vin' }] }
const ACCOUNT = { endpoint: 'http://127.0.0.1:8081/', database: 'fleet' }
const MOVE = { from: { ...ACCOUNT, container: 'drives' }, to: { ...ACCOUNT, container: 'drives-2' }, plan: PLAN }
const COSMOS = `cosmos: { endpoint: 'http://127.0.0.1:8081/', database: fleet, container: drives }`
const TARGET = `{ container: drives-2, plan: ${JSON.stringify(PLAN)} }`

describe('the sinks that follow a move', () => {
  const path = useTemporaryFolder()

  it.each([
    ['has no `move`', '', /has no sink of that kind\.$/],
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
    const hooks = createSinkHooks({ ...OPTIONS, journal: path('.') })

    await expect(hooks.follow({ file: path('sink.yaml') })).rejects.toThrow(message)
    await rememberSinks(path('.'), { file: path('sink.yaml') })
    const facts = { from: 'a', to: 'b', direction: 'forward' } as const
    expect(await hooks.runHook('before', facts)).toEqual({ isDone: false, reason: expect.stringMatching(message) })
  })

  it('are named by --sink-name if several sinks of the file have `move`', async () => {
    const common = `kafka: { brokers: [localhost:9], topics: [drives] }, ${COSMOS}`
    const sink = (name: string, to: string): string => `{ name: ${name}, ${common}, move: { name: a, to: ${to} } }`
    const others = TARGET.replace('drives-2', 'drives-3')
    const plain = `{ name: three, ${common} }`
    writeFileSync(path('sink.yaml'), `sinks: [${sink('one', others)}, ${sink('two', others)}, ${plain}]\n`)
    const hooks = createSinkHooks({ ...OPTIONS, journal: path('.') })
    const follow = (name?: string): Promise<void> =>
      hooks.follow({ file: path('sink.yaml'), ...(name === undefined ? {} : { name }) })

    await expect(follow()).rejects.toThrow(/name one of them with --sink-name: one, two\.$/)
    await expect(follow('two')).rejects.toThrow(/^The sink two in .*`move\.to` is not the container of --to\.$/)
    await expect(follow('three')).rejects.toThrow(/^The sink three in .* has no `move`/)
    await expect(follow('four')).rejects.toThrow(/has these: one, two, three\.$/)
  })

  it('are remembered in the folder of the journal', async () => {
    expect(await rememberedSinks(path('.'))).toBeUndefined()
    await rememberSinks(path('.'), followedSinksIn({ sink: 'sink.yaml', sinkName: 'one' })!)
    expect(await rememberedSinks(path('.'))).toEqual({ file: resolve('sink.yaml'), name: 'one' })
    writeFileSync(path('sinks.json'), '{"file":1}')
    await expect(rememberedSinks(path('.'))).rejects.toThrow(/does not name the sinks of the move/)
    writeFileSync(path('sinks.json'), '{')
    await expect(rememberedSinks(path('.'))).rejects.toThrow(/does not name the sinks of the move/)
    expect(() => followedSinksIn({ sinkName: 'one' })).toThrow('--sink-name needs --sink')
  })
})

const OPTIONS = {
  move: MOVE,
  runHook: async () => ({ isDone: true }) as const,
  env: {},
  onStep: () => undefined
}
