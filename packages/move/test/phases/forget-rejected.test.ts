import { expect, it } from 'vitest'
import { identityText } from '../../src/documents/identity.ts'
import { BEGIN } from '../journal/entries.ts'
import { createMovedContainers, startMove } from './started-move.ts'

const REJECTED = { type: 'rejected', direction: 'forward', document: 'f'.repeat(32), code: 'FIELD_MISSING' } as const

it('an equal comparison removes a rejected document that was deleted without a feed that tells it', async () => {
  const move = startMove(createMovedContainers(), { entries: [BEGIN, REJECTED] })
  await move.reach('follow')
  await move.pass(5000)
  expect(move.journal.state().rejected.forward.size).toBe(0)
})

it('a comparison with documents that change all the time keeps the rejected documents', async () => {
  const move = startMove(createMovedContainers(), {
    entries: [BEGIN, REJECTED],
    compare: async () => ({ isEqual: false, disagreements: [], unsettled: 1 })
  })
  await move.reach('follow')
  await move.pass(5000)
  expect(move.journal.state().rejected.forward.size).toBe(1)
})

it('a comparison that finds other documents removes only the rejected ones that it does not report', async () => {
  const identity = { key: ['other'], id: 'other' }
  const other = { ...REJECTED, document: identityText(identity) }
  const move = startMove(createMovedContainers(), {
    entries: [BEGIN, REJECTED, other],
    compare: async () => ({ isEqual: false, disagreements: [{ identity, places: [] }], unsettled: 0 })
  })
  await move.reach('follow')
  await move.pass(5000)
  expect([...move.journal.state().rejected.forward.keys()]).not.toContain(REJECTED.document)
})
