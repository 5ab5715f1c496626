import { describe } from 'vitest'
import { describeCommitting } from './committing.ts'
import { type DeskOptions, openConsumerDesk } from './consumer-desk.ts'
import { describeDelivery } from './delivery.ts'
import { describePausing } from './pausing.ts'
import { describeReadingOn } from './reading-on.ts'
import { describeStartingAndStopping } from './starting-and-stopping.ts'
import { describeGroup } from './the-group.ts'

/** Contract of a driver, tested against a real Kafka. */
export interface ContractOptions extends DeskOptions {
  readonly isMissing: boolean
  readonly why: string
}

/** Every driver of the consumer passes this. */
export function describeConsumer(title: string, { isMissing, why, ...options }: ContractOptions): void {
  describe.skipIf(isMissing)(`${title}${why}`, () => {
    const desk = openConsumerDesk(options)

    describeDelivery(desk)
    describeReadingOn(desk)
    describePausing(desk)
    describeCommitting(desk)
    describeGroup(desk)
    describeStartingAndStopping(desk)
  })
}
