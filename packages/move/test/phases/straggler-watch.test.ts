import { expect, it } from 'vitest'
import { createMovedContainers, startMove } from './started-move.ts'

it('a write to the old container after the switch is still known after a restart', async () => {
  const containers = createMovedContainers()
  const { old } = containers
  const first = startMove(containers)
  void first.switch()
  await first.reach('reverse')
  old.apply({ key: ['pk'], id: 'late' }, { id: 'late', pk: 'pk', version: 2 })
  await first.pass(5000)
  expect(first.move.status.stragglers).toBe(1)
  first.end()
  await first.pass(1000)

  const next = startMove(containers, { entries: first.journal.entries })
  await next.pass(5000)
  expect(next.move.status.stragglers).toBe(1)
})
