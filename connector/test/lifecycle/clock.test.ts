import { expect, it } from 'vitest'
import { rateLimited } from '../../src/lifecycle/clock.ts'

it('rateLimited passes on a repeated sentence once a minute, and a new sentence at once', () => {
  let nowMs = 0
  const said: string[] = []
  const say = rateLimited({ now: () => nowMs }, (sentence) => said.push(sentence))

  for (nowMs = 0; nowMs < 70_000; nowMs += 1000) say('Redis does not answer.')
  say('The disk is full.')

  expect(said).toEqual(['Redis does not answer.', 'Redis does not answer.', 'The disk is full.'])
})
