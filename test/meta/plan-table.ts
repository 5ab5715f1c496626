const from = [{ field: '/a' }]
const flat = { into: '/pk', from }
const idLevel = { into: '/id', from: [{ id: true }] }
const until = { field: '/at', before: '2026-01-01T00:00:00Z' }

/** Plans that the parser and the schema accept. */
export const GOOD_PLANS: readonly unknown[] = [
  flat,
  { ...flat, $schema: './key-plan.schema.json', separator: '_', existing: 'overwrite', tooLong: 'hash' },
  { ...flat, hashVersion: 1, encoding: 'plain' },
  { into: '/meta/key', from: [{ literal: 'v1' }, { field: '/a/b/0' }, { field: '/with~0tilde~1slash' }] },
  ...['text', 'integer', 'number', 'boolean', 'date', 'uuid'].map((type) => ({
    into: '/pk',
    from: [{ field: '/a', type }]
  })),
  {
    into: '/pk',
    from: [
      { field: '/a', normalize: 'NFC', orKey: '/a', missing: { use: 'none' }, null: 'reject', wrongType: { use: '' } }
    ]
  },
  { into: '/pk', from: [{ field: '/a', type: 'text', normalize: 'NFC' }] },
  {
    into: '/pk',
    from: [
      { field: '/a', empty: { use: 'none' } },
      { field: '/b', empty: 'reject' },
      { bucket: 'day', of: '/at', empty: { use: '' } }
    ]
  },
  {
    into: '/pk',
    from: [
      { kafka: 'key', empty: { use: 'none' } },
      { kafka: 'header', name: 'h', empty: 'reject' }
    ]
  },
  ...['year', 'month', 'day', 'hour', 'minute:1', 'minute:15', 'minute:60'].map((bucket) => ({
    into: '/pk',
    from: [{ bucket, of: '/at' }]
  })),
  {
    into: '/pk',
    from: [{ bucket: 'day', of: '/at', zone: 'Europe/Berlin', epoch: 'seconds', orKey: '/at', missing: { use: 'x' } }]
  },
  { into: '/pk', from: [{ bucket: 'hour', of: { kafka: 'timestamp' }, zone: '+02:00' }] },
  {
    into: '/pk',
    from: [
      { field: '/a', type: 'integer', coerce: true },
      { field: '/b', coerce: false }
    ]
  },
  { into: '/pk', from: [{ bucket: 'day', of: '/at', epoch: 'microseconds', coerce: true }] },
  { into: '/pk', from: [{ id: true }] },
  { into: '/pk', from: ['topic', 'partition', 'offset', 'timestamp', 'key'].map((kafka) => ({ kafka })) },
  {
    into: '/pk',
    from: [
      { kafka: 'key', field: '/a' },
      { kafka: 'header', name: 'tenant' }
    ]
  },
  { ...flat, suffix: { by: 'random', count: 400 } },
  { ...flat, suffix: { by: 'offset', count: 1_000_000, separator: '#' } },
  { ...flat, suffix: { by: '/vin', count: 10_000, labels: 'even' } },
  { ...flat, suffix: { by: ['/vin', '/plant'], count: 16, labels: 'numbered' } },
  { ...flat, suffix: { by: [{ field: '/vin', type: 'text' }, '/plant'], count: 16 } },
  { ...flat, suffix: { by: '/vin', count: 1, hot: { 'tenant-0': 16, 'tenant-7': 4 } } },
  { ...flat, suffix: { by: '/vin', count: 4, labels: 'even', hot: JSON.parse('{"__proto__":16,"":2}'), on: 1 } },
  { ...flat, suffix: { by: 'offset', count: 4, hot: { a: 1 } } },
  {
    ...flat,
    id: { from: [{ kafka: 'topic' }, { kafka: 'offset' }], separator: ':', escape: 'underscore', existing: 'keep' }
  },
  { ...flat, id: { from: [{ literal: 'car/' }, { kafka: 'key' }], separator: '' } },
  { levels: [flat] },
  { hashVersion: 1, levels: [flat] },
  {
    levels: [
      { ...flat, suffix: { by: '/vin', count: 4, labels: 'even' } },
      { into: '/b', from, suffix: { by: '/vin', count: 4 } }
    ]
  },
  { levels: ['/a', '/b', '/c'].map((into) => ({ into, from })), id: { from } },
  { levels: [flat, idLevel] },
  { levels: [flat, { into: '/b', from, suffix: { by: '/v', count: 4 } }, idLevel], id: { from } },
  { levels: [flat, idLevel], previous: [{ until, plan: { levels: [{ ...flat, separator: '_' }, idLevel] } }] },
  { ...flat, previous: [{ until, plan: { ...flat, separator: '_' } }] },
  {
    ...flat,
    previous: [
      { until: { field: '/n', before: 5 }, plan: flat },
      { until: { field: '/n', before: -1 }, plan: { levels: [flat] } }
    ]
  }
]

/** Plans that the parser and the schema refuse. */
export const BAD_PLANS: readonly unknown[] = [
  [],
  null,
  'plan',
  {},
  { from },
  { into: '/pk' },
  { ...flat, seperator: '-' },
  { ...flat, levels: [flat] },
  ...['pk', '', '/', '/a//b', '/a~2', '/__proto__', '/a/__proto__', '/id', '/id/x', 5].map((into) => ({ into, from })),
  { into: '/pk', from: [] },
  { into: '/pk', from: { field: '/a' } },
  { into: '/pk', from: Array.from({ length: 17 }, () => from[0]) },
  { into: '/pk', from: [{ literal: 'a' }, { literal: 'b' }] },
  ...[
    '/a',
    null,
    {},
    { feild: '/a' },
    { field: 'a' },
    { field: '/a', literal: 'b' },
    { field: '/a', type: 'string' },
    { field: '/a', typ: 'text' },
    { field: '/a', normalize: 'NFKC' },
    { field: '/a', type: 'date', normalize: 'NFC' },
    { field: '/a', missing: 'skip' },
    { field: '/a', missing: null },
    { field: '/a', empty: 'keep' },
    { field: '/a', empty: { use: 'undefined' } },
    { literal: 'a', empty: 'reject' },
    { kafka: 'topic', empty: { use: 'none' } },
    { kafka: 'key', empty: true },
    { field: '/a', missing: { use: 'undefined' } },
    { field: '/a', null: { use: 5 } },
    { field: '/a', wrongType: {} },
    { field: '/a', orKey: 'a' },
    { field: '/a', coerce: true },
    { field: '/a', type: 'text', coerce: true },
    { field: '/a', type: 'integer', coerce: 'yes' },
    { bucket: 'day', of: '/at', coerce: true },
    { bucket: 'day', of: { kafka: 'timestamp' }, coerce: true },
    { literal: 5 },
    { bucket: 'day' },
    { bucket: 'week', of: '/at' },
    { bucket: 'minute:7', of: '/at' },
    { bucket: 'minute:0', of: '/at' },
    { bucket: 'day', of: { kafka: 'now' } },
    { bucket: 'day', of: { kafka: 'timestamp', field: '/a' } },
    { bucket: 'day', of: { kafka: 'timestamp' }, epoch: 'seconds' },
    { bucket: 'day', of: '/at', epoch: 'nanoseconds' },
    { bucket: 'day', of: '/at', zone: 5 },
    { id: false },
    { kafka: 'value' },
    { kafka: 'header' },
    { kafka: 'header', name: 5 },
    { kafka: 'topic', name: 'a' },
    { kafka: 'topic', field: '/a' },
    { kafka: 'key', field: 'a' }
  ].map((component) => ({ into: '/pk', from: [{ field: '/b' }, component] })),
  ...['x', '--', '', '~', 'é', ' ', '\n', 5].map((separator) => ({ ...flat, separator })),
  ...[
    {},
    { by: '/vin' },
    { count: 4 },
    { by: 'vin', count: 4 },
    { by: [], count: 4 },
    { by: [{ literal: 'a' }], count: 4 },
    { by: 7, count: 4 },
    { by: '/vin', count: 0 },
    { by: '/vin', count: 1.5 },
    { by: '/vin', count: '4' },
    { by: '/vin', count: 1_000_001 },
    { by: '/vin', count: 10_001, labels: 'even' },
    { by: '/vin', count: 4, labels: 'odd' },
    { by: '/vin', count: 4, separator: '~' },
    { by: '/vin', count: 4, of: '/a' },
    { by: '/vin', count: 4, on: 1 },
    { by: '/vin', count: 4, hot: {} },
    { by: '/vin', count: 4, hot: [] },
    { by: '/vin', count: 4, hot: { a: 0 } },
    { by: '/vin', count: 4, hot: { a: '4' } },
    { by: '/vin', count: 4, hot: { a: 1_000_001 } },
    { by: '/vin', count: 4, hot: { a: 10_001 }, labels: 'even' },
    { by: '/vin', count: 4, hot: { a: 4 }, on: 0 },
    { by: '/vin', count: 4, hot: { a: 4 }, on: 17 },
    { by: 'random', count: 4, hot: { a: 4 } }
  ].map((suffix) => ({ ...flat, suffix })),
  { ...flat, existing: 'ignore' },
  { ...flat, tooLong: 'cut' },
  { ...flat, hashVersion: 3 },
  { ...flat, encoding: 'base64' },
  ...[
    null,
    {},
    { from: [] },
    { from: [{ id: true }] },
    { from, escape: 'none' },
    { from, suffix: {} },
    { from, existing: 'no' }
  ].map((id) => ({
    ...flat,
    id
  })),
  { levels: [] },
  { levels: flat },
  { levels: ['/a', '/b', '/c', '/d'].map((into) => ({ into, from })) },
  { levels: [idLevel] },
  { levels: [idLevel, flat] },
  { levels: [flat, idLevel, { into: '/b', from }] },
  { levels: [flat, { into: '/id', from }] },
  { levels: [flat, { into: '/id/x', from: [{ id: true }] }] },
  { levels: [flat, { into: '/id', from: [{ id: true }, ...from] }] },
  { levels: [flat, { ...idLevel, existing: 'overwrite' }] },
  { levels: [flat, { ...idLevel, suffix: { by: '/v', count: 4 } }] },
  { levels: [flat], separator: '-' },
  { levels: [{ ...flat, id: { from } }] },
  { levels: [flat, { into: '/b', from, suffix: { by: '/v', count: 4, labels: 'even' } }] },
  { hashVersion: 1, levels: [flat, { into: '/b', from }] },
  { ...flat, previous: [] },
  { ...flat, previous: [{ plan: flat }] },
  { ...flat, previous: [{ until }] },
  { ...flat, previous: [{ until: { field: '/at', before: 'soon' }, plan: flat }] },
  { ...flat, previous: [{ until: { field: '/at', before: true }, plan: flat }] },
  { ...flat, previous: [{ until: { before: 5 }, plan: flat }] },
  { ...flat, previous: [{ until: { ...until, after: 5 }, plan: flat }] },
  { ...flat, previous: [{ until, plan: { ...flat, previous: [{ until, plan: flat }] } }] }
]

/**
 * Plans that the parser refuses, but that no schema can refuse: a schema knows no calendar and no time zones, and
 * cannot compare two values of a plan.
 */
export const BEYOND_A_SCHEMA: readonly unknown[] = [
  { into: '/pk', from: [{ bucket: 'day', of: '/at', zone: 'Mars/Base' }] },
  { levels: [flat, flat] },
  {
    levels: [
      { into: '/a', from },
      { into: '/a/b', from }
    ]
  },
  { ...flat, previous: [{ until: { field: '/at', before: '2026-02-30' }, plan: flat }] },
  { ...flat, previous: [{ until, plan: { into: '/other', from } }] },
  { ...flat, previous: [{ until, plan: { ...flat, hashVersion: 1 } }] },
  { ...flat, previous: [1, 2].map((before) => ({ until: { field: '/n', before }, plan: flat })) },
  {
    ...flat,
    previous: [
      { until, plan: flat },
      { until: { field: '/n', before: 5 }, plan: flat }
    ]
  },
  { into: '/pk', from: [{ literal: '\ud800' }, ...from] },
  { ...flat, suffix: { by: '/vin', count: 4, hot: { a: 4 }, on: 16 } },
  { ...flat, suffix: { by: '/vin', count: 4, hot: { '\ud800': 4 } } }
]
