import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { createOperationIntake, type OperationIntake } from '../../src/writer/operation-intake.ts'
import { keysFromRecord } from '../../src/writer/keys-from-record.ts'
import { createRejectionWatch } from '../../src/writer/rejection-watch.ts'
import type { RouterOptions } from '../../src/dispatch/router-options.ts'
import { createClock } from '@keystamp/core/internal'
import { allAnswered, startRouter, type StartedRouter } from '../simulation/start-router.ts'

it('the intake of a writer accepts no more operations in an event loop turn in which it sends, so that the request leaves first', async () => {
  const { intake, sent } = open()
  submit(intake, 49)
  expect({ sent: sent.length, hasRoom: intake.hasRoom() }).toEqual({ sent: 0, hasRoom: true })

  submit(intake, 1)
  expect({ sent: sent.length, hasRoom: intake.hasRoom() }).toEqual({ sent: 1, hasRoom: false })

  // no response arrives meanwhile
  await intake.room()
  expect(intake.hasRoom()).toBe(true)
  expect(sent).toHaveLength(1)
})

it('the intake of a writer accepts operations again after a response, even if the queue of the range was full', async () => {
  const { intake, sent } = open()
  submit(intake, 150)
  await intake.room()
  submit(intake, 100)
  const room = intake.room()
  let hasDemand = false
  void room.then(() => (hasDemand = true))
  await turn()
  expect(hasDemand).toBe(false)

  for (const { answer, request } of sent) answer(allAnswered(request))
  await room
  expect(hasDemand).toBe(true)
})

it('the intake of a writer neither counts bytes nor waits for free bytes if `maxBytes` is Infinity', async () => {
  const { intake, router, sent } = open({ maxBytes: Number.POSITIVE_INFINITY })
  submit(intake, 2000)
  await intake.room()

  expect(router.lanes.map(({ bytes }) => bytes)).toEqual([0])
  expect(router.byteBudget).toBeUndefined()
  expect(sent.length).toBeGreaterThan(0)
  expect(intake.hasRoom()).toBe(true)
})

it.each<[string, (intake: OperationIntake, record: object) => Promise<unknown>]>([
  ['write', (intake, record) => intake.write({ kind: 'upsert', record })],
  ['upsert', (intake, record) => intake.upsert(record)]
])('the intake of a writer does not keep the record of `%s` in memory until its outcome', async (_, write) => {
  const { intake, sent } = open()
  const outcomes: Promise<unknown>[] = []
  const records = Array.from({ length: 10 }, () => {
    const record = { id: String(count++), pk: 'a' }
    outcomes.push(write(intake, record))
    return new WeakRef(record)
  })
  await turn()
  collectGarbage()
  expect(sent).toHaveLength(1)
  expect(records.filter((record) => record.deref() !== undefined)).toHaveLength(0)

  sent[0].answer(allAnswered(sent[0].request))
  expect(await Promise.all(outcomes)).toHaveLength(10)
})

it('the intake of a writer does not report an error of the writer when the writer is closed', async () => {
  const { intake, router, stoppedBy } = open()
  const outcome = intake.write({ kind: 'upsert', record: { id: String(count++), pk: 'a' } })
  await Promise.all([
    expect(outcome).rejects.toMatchObject({ code: 'WRITER_CLOSED' }),
    intake.close(createClock(globalThis), 1, () => Promise.resolve())
  ])

  expect(router.stoppedBy).toMatchObject({ code: 'WRITER_CLOSED' })
  expect(stoppedBy).toEqual([])
})

function open(options: Partial<RouterOptions> = {}): StartedRouter & { readonly intake: OperationIntake } {
  const started = startRouter({ clock: createClock(globalThis), ...options })
  const definition = { paths: ['/pk'], kind: 'Hash', version: 2 } as const
  return {
    ...started,
    intake: createOperationIntake(
      started.router,
      { keys: keysFromRecord(definition), definition, canExpire: false },
      createRejectionWatch('d/c')
    )
  }
}

let count = 0

function submit(intake: OperationIntake, records: number): void {
  for (let left = records; left > 0; left--) {
    intake.submit({ kind: 'upsert', record: { id: String(count++), pk: 'a' } }, (outcome) =>
      expect(outcome).toMatchObject({ kind: 'written' })
    )
  }
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
