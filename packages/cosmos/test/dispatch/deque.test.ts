import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Deque } from '../../src/dispatch/lane.ts'

it('a deque behaves like an array under any pushes, unshifts and shifts', () => {
  const step = fc.oneof(fc.constant('shift' as const), fc.constant('push' as const), fc.constant('unshift' as const))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const deque = new Deque<{ readonly n: number }>()
      const model: { readonly n: number }[] = []
      for (const [n, name] of steps.entries()) {
        if (name !== 'shift') model[name]({ n })
        if (name !== 'shift') deque[name]({ n })
        expect(name === 'shift' ? deque.shift() : undefined).toEqual(name === 'shift' ? model.shift() : undefined)
        expect(deque.size).toBe(model.length)
        for (const [position, item] of model.entries()) expect(deque.at(position)).toEqual(item)
      }
    }),
    { numRuns: 100 }
  )
})

it('a deque still works after it has released the memory of a burst', () => {
  const deque = new Deque<{ readonly n: number }>()
  for (let n = 0; n < 10_000; n++) deque.push({ n })
  for (let n = 0; n < 10_000; n++) expect(deque.shift()).toEqual({ n })

  deque.push({ n: 1 })
  deque.unshift({ n: 0 })

  expect([deque.shift(), deque.shift(), deque.shift()]).toEqual([{ n: 0 }, { n: 1 }, undefined])
})
