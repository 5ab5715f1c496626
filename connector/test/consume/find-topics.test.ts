import { describe, expect, it } from 'vitest'
import { findTopics } from '../../src/consume/find-topics.ts'
import { TopicPattern } from '../../src/config/topic-pattern.ts'

const admin = { listTopics: async () => ['trips-b', 'trips-a', 'other', '__consumer_offsets'] }

describe('findTopics', () => {
  it('takes names as they were given', async () => {
    expect(await findTopics(admin, ['trips-b', 'other'])).toEqual(['trips-b', 'other'])
  })

  it('names all that are missing', async () => {
    await expect(findTopics(admin, ['nope', 'other', 'neither'])).rejects.toMatchObject({
      code: 'TOPIC_MISSING',
      message: expect.stringContaining('There is no topic "nope", "neither"')
    })
  })

  it('takes all whose names match, in an order that does not change', async () => {
    expect(await findTopics(admin, new TopicPattern('trips-.*'))).toEqual(['trips-a', 'trips-b'])
    expect(await findTopics(admin, new TopicPattern('trips-.*'))).toEqual(['trips-a', 'trips-b'])
  })

  it('never takes what Kafka keeps for itself', async () => {
    expect(await findTopics(admin, new TopicPattern('.*'))).not.toContain('__consumer_offsets')
  })

  it('says that nothing matches', async () => {
    await expect(findTopics(admin, new TopicPattern('cars.*'))).rejects.toMatchObject({ code: 'TOPIC_MISSING' })
  })
})
