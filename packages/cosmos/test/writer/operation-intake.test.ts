import { expect, it } from 'vitest'
import { createFrontDoor, type FrontDoor } from '../../src/writer/operation-intake.ts'
import { keysInPlace } from '../../src/writer/keys-in-place.ts'
import { createRejectionWatch } from '../../src/writer/rejection-watch.ts'
import { MACHINE_CLOCK } from '../../src/budget/clock.ts'
import { allAnswered, startRouter, type StartedRouter } from '../simulation/start-router.ts'

it('has no room in the turn in which it sends, so that what is sent leaves before the rest is made ready', async () => {
  const { door, sent } = open()
  submit(door, 49)
  expect({ sent: sent.length, hasRoom: door.hasRoom() }).toEqual({ sent: 0, hasRoom: true })

  submit(door, 1)
  expect({ sent: sent.length, hasRoom: door.hasRoom() }).toEqual({ sent: 1, hasRoom: false })

  const before = performance.now()
  await door.room()
  expect(door.hasRoom()).toBe(true)
  expect(sent).toHaveLength(1)
  expect(performance.now() - before).toBeLessThan(500)
})

it('has room again although the range is full, once that has been answered', async () => {
  const { door, sent } = open()
  submit(door, 150)
  await door.room()
  submit(door, 100)
  const room = door.room()
  let isThere = false
  void room.then(() => (isThere = true))
  await turn()
  expect(isThere).toBe(false)

  for (const { answer, request } of sent) answer(allAnswered(request))
  await room
  expect(isThere).toBe(true)
})

function open(): StartedRouter & { readonly door: FrontDoor } {
  const started = startRouter({ clock: MACHINE_CLOCK })
  const definition = { paths: ['/pk'], kind: 'Hash', version: 2 } as const
  return {
    ...started,
    door: createFrontDoor(started.router, { keys: keysInPlace(definition), definition, canExpire: false }, createRejectionWatch('d/c'))
  }
}

let count = 0

function submit(door: FrontDoor, records: number): void {
  for (let left = records; left > 0; left--) {
    door.submit({ kind: 'upsert', record: { id: String(count++), pk: 'a' } }, (outcome) =>
      expect(outcome).toMatchObject({ kind: 'written' })
    )
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
