import { CosmosError } from '@keystamp/cosmos'
import { createRandom, VirtualClock } from '@keystamp/testkit'
import { expect, it } from 'vitest'
import type { ChangesAnswer, MoveContainer } from '../../src/containers/move-container.ts'
import { hasVersions } from '../../src/copy/begin-copy.ts'
import { SimulatedContainer } from '../simulation/simulated-container.ts'

const OPTIONS = { name: 'c', keyPath: '/pk', hasPreviousImages: false, maxBehindMs: 0, lostShare: 0, maxLatencyMs: 0 }

/** A container whose first answer is that the range was split. */
function createSplit(answerOf: (min: string) => Promise<ChangesAnswer>): MoveContainer {
  const simulated = new SimulatedContainer(new VirtualClock(), createRandom(1), OPTIONS)
  return {
    ...simulated.open(() => true),
    feedRanges: async () => [{ min: '', max: 'FF' }],
    readChanges: async ({ range: { min, max } }) =>
      max === 'FF'
        ? {
            kind: 'split',
            ranges: [
              { min, max: '7F' },
              { min: '7F', max: 'FE' }
            ]
          }
        : answerOf(min)
  }
}

it('a split does not tell whether a container has the feed of all versions: its parts do', async () => {
  const refused = createSplit(async () => {
    throw new CosmosError('COSMOS_REFUSED', 'There is no such feed.', { statusCode: 400 })
  })
  expect(await hasVersions(refused)).toBe(false)
  const page = { kind: 'page', documents: [], versions: [], position: '1', isEnd: true, chargeRu: 1 } as const
  expect(await hasVersions(createSplit(async () => ({ ...page, sessionToken: undefined })))).toBe(true)
})
