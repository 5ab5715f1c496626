import { describe, expect, it, test } from 'vitest'
import { parseWorkload, type QueryFilters, WorkloadError, type WorkloadOptions } from '../../src/index.ts'

const DAY = 86_400

function mistakesOf(value: unknown, options?: WorkloadOptions): readonly string[] {
  try {
    parseWorkload(value, options)
  } catch (error) {
    if (error instanceof WorkloadError) return error.mistakes.map(({ path, message }) => `${path} ${message}`)
    throw error
  }
  return []
}

describe('a workload', () => {
  it('may contain amounts as text or numbers, and queries in the short form or as objects', () => {
    const workload = parseWorkload({
      $schema: './workload.schema.json',
      items: '10M',
      itemSize: '1KB',
      totalSize: '10GB',
      growth: '100MB/day',
      ttl: '90 days',
      writes: {
        rate: '5000/s',
        mean: '1000/s',
        operation: 'upsert',
        indexedValues: 12,
        changedValues: 2,
        existing: '40%'
      },
      timeField: 'at',
      queries: [
        'deviceId, at=day @ 20/s',
        {
          name: 'last hour',
          equal: ['fleetId'],
          between: [{ field: 'at', length: '1h' }, 'price'],
          rate: '2/s',
          rows: 50
        },
        { equal: ['deviceId'], id: true, rate: '1/s' }
      ],
      pointReads: '100/s',
      transactions: ['orderId', '/orderId'],
      changing: ['status'],
      consistency: 'boundedStaleness',
      regions: 2,
      multiRegionWrites: true,
      presentKey: '/date'
    })

    expect(workload).toEqual({
      items: 10e6,
      itemBytes: 1000,
      totalBytes: 10e9,
      growthBytesPerDay: expect.closeTo(100e6, 3) as number,
      ttlSeconds: 90 * DAY,
      writes: { perSecond: 5000, operation: 'upsert', indexedValues: 12, changedValues: 2, existingShare: 0.4 },
      timeField: '/at',
      queries: [
        {
          name: 'deviceId, at=day @ 20/s',
          perSecond: 20,
          equal: ['/deviceId'],
          between: [{ field: '/at', seconds: DAY }],
          byId: false,
          rows: 10
        },
        {
          name: 'last hour',
          perSecond: 2,
          equal: ['/fleetId'],
          between: [{ field: '/at', seconds: 3600 }, { field: '/price' }],
          byId: false,
          rows: 50
        },
        { name: '/deviceId, /id', perSecond: 1, equal: ['/deviceId', '/id'], between: [], byId: true, rows: 1 }
      ],
      pointReadsPerSecond: 100,
      transactions: ['/orderId'],
      changingFields: ['/status'],
      consistency: 'boundedStaleness',
      regions: 2,
      multiRegionWrites: true,
      meanUtilization: 0.2,
      presentKey: ['/date']
    })
  })

  it('may be empty, and is then read with the defaults', () => {
    expect(parseWorkload({})).toEqual({
      queries: [],
      transactions: [],
      changingFields: [],
      consistency: 'session',
      regions: 1,
      multiRegionWrites: false
    })
  })

  it('may contain only a rate for its writes', () => {
    expect(parseWorkload({ writes: '300k/min', ttl: 'never' })).toMatchObject({
      writes: { perSecond: 5000, operation: 'upsert' },
      ttlSeconds: 'never'
    })
  })

  it('is refused with all of its mistakes at once', () => {
    const value = {
      itemz: 3,
      ttl: 604_800,
      writes: { rate: 'fast', opration: 'upsert', operation: 'insert', mean: '1/s', existing: '140%' },
      queries: ['deviceId', { equal: 'deviceId', rate: '1/s' }, 7],
      regions: 0,
      multiRegionWrites: 'yes',
      consistency: 'Strong',
      timeField: '',
      presentKey: []
    }

    expect(mistakesOf(value)).toEqual([
      '/itemz is not known; did you mean "items"?',
      '/writes/opration is not known; did you mean "operation"?',
      '/writes/rate must be a rate such as 5000/s, 300k/min or 10M/day, not "fast": it does not begin with a number',
      '/writes/operation must be "create" or "upsert" or "replace" or "patch" or "delete", not "insert"',
      '/writes/existing must be a percentage up to 100%, such as 40%, not "140%": it is more than 100 %',
      '/ttl must be a time such as 7d, 24h or 90 days, not "604800": the unit is missing',
      '/timeField must be a field such as deviceId, vehicle.vin or /vehicle/vin',
      '/queries/0 cannot be read: the rate is missing; end the query with one, such as @ 20/s',
      '/queries/1/equal must be a list, not a string',
      '/queries/2 must be an object, not a number',
      '/consistency must be "eventual" or "consistentPrefix" or "session" or "boundedStaleness" or "strong", not "Strong"',
      '/regions must be a whole number from 1 to 60, not 0',
      '/multiRegionWrites must be true or false, not "yes"',
      '/presentKey must have 1 to 3 entries, not 0'
    ])
    expect(() => parseWorkload(value)).toThrow(/^The workload has 14 mistakes:\n {2}\/itemz is not known/)
  })

  test.each<[string, object, string]>([
    [
      'items times itemSize, and totalSize',
      { items: 10e6, itemSize: '1KB', totalSize: '25GB' },
      '/totalSize contradicts items and itemSize: 10,000,000 documents of 1 KB are 10 GB, not 25 GB'
    ],
    [
      'growth and writes',
      { writes: '10/s', itemSize: '1KB', growth: '2GB/day' },
      '/growth contradicts writes: 10/s of 1 KB are at most 864 MB a day'
    ],
    [
      'totalSize and the time to live',
      { writes: '10/s', itemSize: '1KB', totalSize: '20GB', ttl: '7d' },
      '/totalSize contradicts ttl: 10/s of 1 KB fill at most 6.05 GB in 7 days'
    ],
    [
      'writes in several regions, and one region',
      { multiRegionWrites: true },
      '/multiRegionWrites needs regions of at least 2'
    ],
    [
      'strong consistency in several write regions',
      { multiRegionWrites: true, regions: 2, consistency: 'strong' },
      '/consistency cannot be strong in an account that writes in several regions'
    ],
    [
      'a mean load, and a lower peak',
      { writes: { rate: '1/s', mean: '2/s' } },
      '/writes/mean is above the peak, which is the rate'
    ],
    [
      'two mean loads',
      { writes: { rate: '10/s', mean: '2/s' }, meanUtilization: '50%' },
      '/meanUtilization contradicts the mean of the writes; give one of them'
    ],
    ['a size of 0 bytes', { itemSize: '0 KB' }, '/itemSize must be above 0']
  ])('is refused if properties contradict each other: %s', (_name, value, mistake) => {
    expect(mistakesOf(value)).toEqual([mistake])
  })

  test.each([
    { items: 10e6, itemSize: '1KB', totalSize: '15GB' },
    { writes: '10/s', itemSize: '1KB', growth: '1GB/day' },
    { writes: '10/s', itemSize: '1KB', totalSize: '10GB', ttl: '7d' },
    { writes: { rate: '10/s', operation: 'delete' }, itemSize: '1KB', totalSize: '20GB', ttl: '7d' },
    { writes: '10/s', itemSize: '1KB', totalSize: '20GB', ttl: 'never' }
  ])('is accepted if properties contradict each other only a little: %j', (value) => {
    expect(mistakesOf(value)).toEqual([])
  })

  it('is refused if it is not an object', () => {
    expect(mistakesOf('5000/s')).toEqual([' must be an object, not a string'])
    expect(() => parseWorkload([])).toThrow('The workload has a mistake:\n  the workload must be an object, not a list')
  })

  it('is refused with the names of options instead of properties if it comes from a command line', () => {
    expect(mistakesOf({ writes: 'fast', queries: ['a'] }, { nameOf })).toEqual([
      expect.stringMatching(/^--writes must be a rate/),
      expect.stringMatching(/^--query cannot be read/)
    ])
  })

  it('may contain SQL if a reader for SQL is passed', () => {
    const range = { field: 'at', length: '1d' }
    const value = {
      queries: [
        { sql: 'SELECT * FROM c WHERE c.d = @d', rate: '2/s', between: [range] },
        { sql: 'SELECT', rate: '2/s', equal: ['a'] },
        { sql: 7, rate: '1/s' }
      ]
    }

    expect(parseWorkload({ queries: [value.queries[0]] }, { readSql }).queries).toEqual([
      {
        name: 'SELECT * FROM c WHERE c.d = @d',
        perSecond: 2,
        equal: ['/d'],
        between: [{ field: '/at', seconds: 86_400 }],
        byId: false,
        rows: 10
      }
    ])
    expect(
      mistakesOf({ queries: [{ ...value.queries[0], between: [{ ...range, field: 'ta' }] }] }, { readSql })
    ).toEqual(['/queries/0/between is not in sql: the query has no range of /ta, but its length is given'])
    expect(mistakesOf(value, { readSql })).toEqual([
      '/queries/1/equal cannot be combined with sql, which has the filters',
      '/queries/1/sql cannot be read: the clause FROM is missing',
      '/queries/2/sql must be a string, not a number'
    ])
    expect(mistakesOf({ queries: [value.queries[0]] })).toEqual([
      '/queries/0/sql cannot be read: SQL is not supported here: list the fields, such as deviceId, at=day @ 20/s'
    ])
  })
})

const OPTIONS: Readonly<Record<string, string>> = { '/writes': '--writes', '/queries/0': '--query' }

function nameOf(pointer: string): string {
  return OPTIONS[pointer]
}

function readSql(sql: string): QueryFilters | string {
  return sql === 'SELECT' ? 'the clause FROM is missing' : { equal: ['/d'], between: [{ field: '/at' }], byId: false }
}
