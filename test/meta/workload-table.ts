/** Workloads that the parser and the schema accept. */
export const GOOD_WORKLOADS: readonly unknown[] = [
  {},
  { $schema: './workload.schema.json' },
  ...[0, 2_500_000, '10M', '2.5M', '2,500,000', '2_500_000', '2 500 000', '1e6', '7bn', ' 5k '].map((items) => ({
    items
  })),
  ...['1KB', '500GB', '1.5 TiB', '1 kb', '2K', '2Ki', '100 bytes', '1 byte', '12 345 B', '.5MB', '1e3 B'].map(
    (itemSize) => ({ itemSize, totalSize: itemSize })
  ),
  ...['2GB/day', '500 GB/month', '73 GB per month', '1KB a second', '2 bytes/s'].map((growth) => ({ growth })),
  ...['never', '7d', '24h', '90 days', '5m', '2 weeks', '1 month', '1y', '1e3 s', '60 minutes'].map((ttl) => ({ ttl })),
  ...['5000/s', '5,000 / s', '10M/day', '300k/min', '5k writes per second', '0.5/s', '0/s', '2 ops a minute'].map(
    (rate) => ({ writes: rate, pointReads: rate })
  ),
  { writes: { rate: '5000/s' } },
  { writes: { rate: '5000/s', mean: '1000/s', operation: 'create', indexedValues: 12 } },
  { writes: { rate: '5000/s', operation: 'upsert', changedValues: '2', existing: '40%' } },
  ...['replace', 'patch', 'delete'].map((operation) => ({ writes: { rate: '1/s', operation } })),
  ...['at', 'vehicle.vin', '/vehicle/vin', '/a~1b/~0', '/first name', '/', '/a=b'].map((timeField) => ({ timeField })),
  { queries: [] },
  ...[
    'deviceId @ 20/s',
    'deviceId, at=day @ 20/s',
    'vehicle.vin,/a/b@1/min',
    'at=7d, price=* @ 2/s',
    'deviceId, id @ 100/s',
    'deviceId, rows=250 @ 2/s',
    'deviceId @ 2/s rows=1k',
    '* @ 1/day',
    'SELECT * FROM c WHERE c.d = @d @ 1/s'
  ].map((query) => ({ queries: [query] })),
  { queries: [{ rate: '2/s' }] },
  { queries: [{ name: 'a', equal: ['a', '/b'], between: ['c', { field: 'd' }], id: true, rows: '5', rate: '2/s' }] },
  ...['*', 'minute', 'hour', 'day', 'week', 'month', 'year', '7d', '90 days'].map((length) => ({
    queries: [{ between: [{ field: 'at', length }], rate: '2/s' }]
  })),
  { queries: [{ sql: 'SELECT * FROM c', rate: '2/s', rows: 3, name: 'all' }] },
  { transactions: ['orderId'], changing: ['status', '/a/b'] },
  ...['eventual', 'consistentPrefix', 'session', 'boundedStaleness', 'strong'].map((consistency) => ({ consistency })),
  { regions: 60, multiRegionWrites: true },
  { regions: 1, multiRegionWrites: false },
  ...['40%', '2.5 %', '100 percent', '0%'].map((meanUtilization) => ({ meanUtilization })),
  { presentKey: '/date' },
  { presentKey: ['tenant', 'user', '/id'] }
]

/** Workloads that the parser and the schema refuse. */
export const BAD_WORKLOADS: readonly unknown[] = [
  null,
  [],
  'text',
  7,
  { item: 5 },
  ...[-1, 1.5, '-1', '', 'many', '10 dozen', true, null, [], '10m'].map((items) => ({ items })),
  ...[1000, '1000', 'KB', '5 EB', '-1 KB', null].map((itemSize) => ({ itemSize })),
  ...[5, '5GB', '5%/month', 'GB/day'].map((growth) => ({ growth })),
  ...[604_800, '604800', 'forever', '-7d', null].map((ttl) => ({ ttl })),
  ...[5000, '5000', 'fast', '-5/s', '5000/', [], true, {}].map((writes) => ({ writes })),
  { pointReads: { rate: '5/s' } },
  { writes: { rate: '5/s', opration: 'upsert' } },
  { writes: { rate: '5/s', operation: 'insert' } },
  { writes: { rate: '5/s', existing: 0.4 } },
  { writes: { operation: 'upsert' } },
  ...['', 'a b', 'a=b', '/a~2', 7, null].map((timeField) => ({ timeField })),
  { queries: 'deviceId @ 20/s' },
  ...['deviceId', 'deviceId @', '@ 20/s', '', 7, null].map((query) => ({ queries: [query] })),
  { queries: [{ equal: ['a'] }] },
  { queries: [{ equal: 'a', rate: '1/s' }] },
  { queries: [{ filter: 'a', rate: '1/s' }] },
  { queries: [{ id: 'yes', rate: '1/s' }] },
  { queries: [{ name: 7, rate: '1/s' }] },
  { queries: [{ sql: 7, rate: '1/s' }] },
  { queries: [{ sql: 'SELECT * FROM c', equal: ['a'], rate: '1/s' }] },
  { queries: [{ sql: 'SELECT * FROM c', id: false, rate: '1/s' }] },
  { queries: [{ between: [{ length: '1d' }], rate: '1/s' }] },
  { queries: [{ between: [{ field: 'at', length: 86_400 }], rate: '1/s' }] },
  { queries: [{ between: [{ field: 'at', size: '1d' }], rate: '1/s' }] },
  { transactions: 'orderId' },
  { changing: [7] },
  { consistency: 'Strong' },
  ...[0, 1.5, 61, '2'].map((regions) => ({ regions })),
  { multiRegionWrites: 'yes' },
  ...[0.4, '0.4', '-4%', 'half'].map((meanUtilization) => ({ meanUtilization })),
  { presentKey: [] },
  { presentKey: ['a', 'b', 'c', 'd'] },
  { presentKey: 7 }
]

/** Workloads that only the parser can refuse. */
export const BEYOND_A_SCHEMA: readonly unknown[] = [
  { items: '1.2345k' },
  { items: '1,5' },
  { itemSize: '0 KB' },
  { itemSize: '1.000.000 B' },
  { growth: '5 cats/day' },
  { ttl: '7 moons' },
  { ttl: '0s' },
  { writes: '5 cats/s' },
  { writes: '5000/moon' },
  { writes: '300k/m' },
  { writes: { rate: '1/s', mean: '2/s' } },
  { writes: { rate: '1/s', existing: '140%' } },
  { meanUtilization: '140%' },
  { queries: ['deviceId @ 20'] },
  { queries: ['device id @ 20/s'] },
  { queries: ['at=dya @ 20/s'] },
  { queries: ['a, a @ 20/s'] },
  { items: 10_000_000, itemSize: '1KB', totalSize: '25GB' },
  { writes: '10/s', itemSize: '1KB', growth: '2GB/day' },
  { multiRegionWrites: true },
  { regions: 2, multiRegionWrites: true, consistency: 'strong' }
]
