import { describe } from 'vitest'
import { describeCommitting } from './committing.ts'
import { type FixtureOptions, openConsumerFixture } from './consumer-fixture.ts'
import { describeDelivery } from './delivery.ts'
import { describePausing } from './pausing.ts'
import { describeReadingOn } from './reading-on.ts'
import { describeStartingAndStopping } from './starting-and-stopping.ts'
import { describeGroup } from './the-group.ts'

/** Options of the contract tests, which run a consumer against a real Kafka. */
export interface ContractOptions extends FixtureOptions {
  readonly isMissing: boolean
  readonly why: string
}

/** Tests that every implementation of `Consumer` has to pass. */
export function describeConsumer(title: string, { isMissing, why, ...options }: ContractOptions): void {
  describe.skipIf(isMissing)(`${title}${why}`, () => {
    const fixture = openConsumerFixture(options)

    describeDelivery(fixture)
    describeReadingOn(fixture)
    describePausing(fixture)
    describeCommitting(fixture)
    describeGroup(fixture)
    describeStartingAndStopping(fixture)
  })
}
