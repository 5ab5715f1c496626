import { expect, it } from 'vitest'
import { titledTests } from './titled-tests.ts'

it('the tests of a file have the titles of all describes that enclose them', () => {
  const source = `
describe('a sink', () => {
  const text = 'none'
  describe.skipIf(isMissing).concurrent('with two members', () => {
    it('L5 sends nothing', () => {
      call({})
    })
  })

  it.each([
    ['first', 1]
  ])(
    'begins at the %s record',
    () => {}
  )
})

describe.each(['a', 'b'])('a writer of $name', () => {
  test('sends "$x" once', () => {})
})

it('has no describe', () => {})
`
  expect(titledTests(source).map(({ name }) => name)).toEqual([
    'a sink > with two members > sends nothing',
    'a sink > begins at the … record',
    'a writer of … > sends "…" once',
    'has no describe'
  ])
})

it.each([
  ["it('L5 L4 is sent', () => {})", ['L5', 'L4']],
  ["// checks L5, L4\nit('is sent', () => {})", ['L5', 'L4']],
  ["// checks L5\nit.each([\n  1\n])('is sent', () => {})", ['L5']],
  ["it('is sent', () => {})", []]
])('a test checks the laws of its title and of the comment above it: %j', (source, laws) => {
  expect(titledTests(source).map((test) => test.laws)).toEqual([laws])
})

it.each([
  ["it('is sent in ${seconds} s', () => {})", 'is sent in … s'],
  ["it('uses 98 %% of %i', () => {})", 'uses 98 % of …'],
  ['it(`a member of Kafka${why}`, () => {})', 'a member of Kafka'],
  ["it(`a budget in Redis ${'why' in redis ? `(${redis.why})` : ''}`, () => {})", 'a budget in Redis'],
  ['it(`${title} (${name})`, () => {})', 'each case'],
  ["it('the sink\\'s end', () => {})", "the sink's end"]
])('the name of a test has no placeholders: %s', (source, name) => {
  expect(titledTests(source).map((test) => test.name)).toEqual([name])
})

it.each(['skip', 'todo', 'fails', 'skip.each([1])'])('a test with it.%s is not listed', (call) => {
  expect(titledTests(`it.${call}('is sent', () => {})`)).toEqual([])
})
