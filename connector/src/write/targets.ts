import type { CosmosSettings } from '../config/settings.ts'
import type { Target } from './target.ts'

/** The containers that a sink writes to, each opened once. */
export interface Targets {
  /** Opens what the topic is written to, or finds it open. */
  readonly open: (topic: string) => Promise<Target>
  /** Demands that it is open. */
  readonly of: (topic: string) => Target
  readonly all: () => Iterable<Target>
  readonly close: (deadlineMs: number) => Promise<void>
}

/** `openTarget` opens a container by its name. */
export function createTargets(cosmos: Pick<CosmosSettings, 'container'>, openTarget: (container: string) => Promise<Target>): Targets {
  const opening = new Map<string, Promise<Target>>()
  const byTopic = new Map<string, Target>()
  const byContainer = new Map<string, Target>()

  async function open(topic: string): Promise<Target> {
    const container = containerOf(cosmos, topic)
    let target = opening.get(container)
    if (target === undefined) opening.set(container, (target = openTarget(container)))
    const opened = await target
    byTopic.set(topic, opened)
    byContainer.set(container, opened)
    return opened
  }

  return {
    open,
    of: (topic) => byTopic.get(topic)!,
    all: () => byContainer.values(),
    close: async (deadlineMs) => {
      // what is still being opened is closed as well
      const targets = await Promise.allSettled(opening.values())
      const opened = targets.filter((target) => target.status === 'fulfilled')
      await Promise.all(opened.map(({ value }) => value.close(deadlineMs)))
    }
  }
}

/** The container that the records of a topic go to. */
export function containerOf({ container }: Pick<CosmosSettings, 'container'>, topic: string): string {
  if (typeof container === 'string') return container.replaceAll('${topic}', () => topic)
  return container.get(topic) ?? topic
}
