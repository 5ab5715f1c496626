import { describe, expect, it } from 'vitest'
import { TopicPattern } from '../../src/config/topic-pattern.ts'
import { mistakesOf } from './read-text.ts'

/** Of processor time, in microseconds: the elapsed time depends on what else the machine does. */
const ONE_SECOND = 1_000_000

describe('a topic pattern', () => {
  it('matches whole names only', () => {
    const pattern = new TopicPattern('trips-.*|cars')

    expect(['trips-a', 'cars', 'my-trips-a', 'cars2'].map((topic) => pattern.matches(topic))).toEqual([
      true,
      true,
      false,
      false
    ])
  })

  it('matches in linear time for every pattern and name', () => {
    const before = process.cpuUsage()

    expect(new TopicPattern('(a+)+b').matches('a'.repeat(249))).toBe(false)
    expect(process.cpuUsage(before).user).toBeLessThan(ONE_SECOND)
  })

  it('is refused with its position if it needs backtracking', async () => {
    const text =
      'name: a\nkafka: { brokers: ["a:1"], topicPattern: "(?!x).*" }\ncosmos: { endpoint: "https://a/", database: d, container: c }\n'

    expect(await mistakesOf(text)).toEqual([
      '2:42 kafka.topicPattern must be a regular expression without lookaround and backreferences (RE2 syntax): invalid or unsupported Perl syntax: `(?!`'
    ])
  })
})
