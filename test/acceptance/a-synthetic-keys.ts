import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createPlan, isKeystampError, joinInto, joinedLength, type PlanDefinition } from '@keystamp/core'
import { stamp, stampLines } from '@keystamp/stream'
import {
  COMPUTED_SUFFIX,
  DATE,
  DATE_ALONE,
  DOCUMENT,
  JOINED,
  RANDOM_SUFFIX,
  SOME_VIN,
  VIN,
  vins
} from './article-data.ts'
import { bothOffers } from './both-offers.ts'
import { type Load, loadOf } from './load.ts'
import { bothPrices, enoughKeys, loadByPartition } from './planned.ts'
import { hotDateFound } from './looked-at.ts'
import type { Row, Shown } from './row.ts'
import { stampedInTheSink } from './through-a-sink.ts'
import { dayUnderRandomSuffixes, oneVehicle, stampedOnTheWay } from './written-and-read.ts'

const EVEN: PlanDefinition = { ...DATE_ALONE, suffix: { by: `/${VIN}`, count: 400, labels: 'even' } } as PlanDefinition

/** The article on synthetic partition keys. */
export const SYNTHETIC_KEYS: readonly Row[] = [
  {
    id: 'A1',
    says: 'A key needs hundreds or thousands of distinct values; if no property has them, make one.',
    keystamp:
      'Keystamp warns of a plan that cannot give enough keys; the planner measures a sample, and names a key with enough distinct values.',
    state: 'built',
    show: async () => [...(await warned()), ...(await enoughKeys())]
  },
  {
    id: 'A2',
    says: 'Take one property, or join several into one artificial `partitionKey`.',
    keystamp:
      'Plans join fields by a separator; with the default options, the result is the key value that the article shows.',
    state: 'built',
    show: joined
  },
  {
    id: 'A3',
    says: 'Keys are put into items by client-side logic on their way into the container, not by hand.',
    keystamp: 'The same plan serves objects, JSON bytes, Node streams, the writer, and a Kafka sink.',
    state: 'built',
    show: async () => [...(await onTheWay()), ...(await stampedOnTheWay()), ...(await stampedInTheSink())]
  },
  {
    id: 'A4',
    says: 'Append a random number from 1 to 400 to the date: a day’s writes spread in parallel.',
    keystamp:
      '`"suffix": { "by": "random", "count": 400 }`, with a warning that a record gets another number on a replay.',
    state: 'built',
    show: randomSuffixes
  },
  {
    id: 'A5',
    says: 'An item under a random suffix is hard to read: its suffix is unknown.',
    keystamp:
      '`keysFor` gives all 400 keys; the reader sends one query to each physical partition for its share of them.',
    state: 'built',
    show: async () => [...allSuffixes(), ...(await dayUnderRandomSuffixes())]
  },
  {
    id: 'A6',
    says: 'Take a field that queries filter by, compute an even suffix from 1 to 400 from it, and append the suffix to the date.',
    keystamp: '`"suffix": { "by": "/Vehicle-Identification-Number", "count": 400 }`; evenness is measured.',
    state: 'built',
    show: computedSuffix
  },
  {
    id: 'A7',
    says: 'A reader that knows vehicle and date computes the key and reads directly.',
    keystamp: '`keyFor` and `keystamp locate` return this single key, and the reader reads under it.',
    state: 'built',
    show: async () => [...directKey(), ...(await oneVehicle())]
  },
  {
    id: 'A8',
    says: 'Writes spread over keys and partitions, and no single key takes the whole load.',
    keystamp:
      'Keystamp computes the hash in the same way as Cosmos DB, so the load on each range under a plan is known beforehand; `keystamp xray` finds hot keys in a container that exists.',
    state: 'built',
    show: async () => [...(await spread()), ...(await loadByPartition()), ...(await hotDateFound())]
  },
  {
    id: 'A9',
    says: 'Throughput is provisioned for a container or for a database.',
    keystamp: 'Emulator, writer and planner support both, with manual and with autoscale throughput.',
    state: 'built',
    show: async () => [...(await bothOffers()), ...(await bothPrices())]
  }
]

async function warned(): Promise<Shown[]> {
  return [
    { input: JSON.stringify(DATE_ALONE), output: warningsOf(DATE_ALONE) },
    { input: JSON.stringify(COMPUTED_SUFFIX), output: warningsOf(COMPUTED_SUFFIX) }
  ]
}

async function joined(): Promise<Shown[]> {
  const definitions: PlanDefinition[] = [{ into: '/partitionKey', from: [{ field: '/deviceId' }] }, DATE_ALONE, JOINED]
  return definitions.map((definition) => {
    const stamped = createPlan(definition).stamp({ ...DOCUMENT })
    return {
      input: `${JSON.stringify(DOCUMENT)} with ${JSON.stringify(definition)}`,
      output: stamped.ok ? JSON.stringify(stamped.record) : stamped.code
    }
  })
}

async function onTheWay(): Promise<Shown[]> {
  const plan = createPlan(JOINED)
  const [record] = await Readable.from([{ ...DOCUMENT }])
    .pipe(stamp(plan))
    .toArray()
  const line = JSON.stringify(DOCUMENT)
  const stamped = plan.stampBytes(Buffer.from(line))
  const bytes = Buffer.alloc(stamped.ok ? joinedLength(stamped) : 0)
  if (stamped.ok) joinInto(stamped, bytes, 0)
  const lines = await text(Readable.from([Buffer.from(`${line}\n`)]).pipe(stampLines(plan)))
  return [
    { input: `an object through stamp(plan): ${line}`, output: JSON.stringify(record) },
    { input: `its bytes through plan.stampBytes: ${line}`, output: bytes.toString() },
    { input: `a line through stampLines(plan): ${line}`, output: lines.trimEnd() }
  ]
}

async function randomSuffixes(): Promise<Shown[]> {
  return [0, 0.5, 1 - Number.EPSILON].map((drawn) => {
    const plan = createPlan(RANDOM_SUFFIX, { random: () => drawn })
    const stamped = plan.stamp({ date: DATE })
    const key = stamped.ok ? String(stamped.values[0]) : stamped.code
    return { input: `{"date":"${DATE}"}, ${drawn} drawn of 0 to 1`, output: `${key}, ${warningsOf(RANDOM_SUFFIX)}` }
  })
}

function allSuffixes(): Shown[] {
  const keys = createPlan(RANDOM_SUFFIX, { random: Math.random })
    .keysFor({ date: DATE })
    .map(({ key }) => String(key))
  return [
    { input: `keysFor({"date":"${DATE}"})`, output: `${keys.length} keys: ${keys[0]}, ${keys[1]}, ... ${keys.at(-1)}` }
  ]
}

async function computedSuffix(): Promise<Shown[]> {
  const plan = createPlan(COMPUTED_SUFFIX)
  const record = { date: DATE, [VIN]: SOME_VIN }
  const stamped = plan.stamp({ ...record })
  const { keys, busiestKey } = loadOf(keysOf(COMPUTED_SUFFIX, 200_000), 1)
  return [
    { input: JSON.stringify(record), output: stamped.ok ? JSON.stringify(stamped.record) : stamped.code },
    {
      input: '200,000 vehicles on one date',
      output: `${keys} keys; the busiest takes ${(busiestKey * keys).toFixed(2)} times the average`
    }
  ]
}

function directKey(): Shown[] {
  const plan = createPlan(COMPUTED_SUFFIX)
  const known = { date: DATE, [VIN]: SOME_VIN }
  return [
    { input: `keyFor(${JSON.stringify(known)})`, output: String(plan.keyFor(known).key) },
    { input: `keyFor({"date":"${DATE}"})`, output: refusal(() => plan.keyFor({ date: DATE })) }
  ]
}

async function spread(): Promise<Shown[]> {
  return [DATE_ALONE, COMPUTED_SUFFIX, EVEN].map((definition) => ({
    input: `20,000 vehicles on one date over 20 ranges, with ${JSON.stringify(definition)}`,
    output: loadText(loadOf(keysOf(definition, 20_000), 20))
  }))
}

function loadText({ keys, busiestKey, busiestRange, ranges }: Load): string {
  return `${count(keys, 'key')} on ${count(ranges, 'range')}; the busiest key takes ${percent(busiestKey)} of the writes, the busiest range ${percent(busiestRange)}`
}

function keysOf(definition: PlanDefinition, vehicles: number): string[] {
  const { keyFor } = createPlan(definition)
  return vins(vehicles).map((vin) => String(keyFor({ date: DATE, [VIN]: vin }).key))
}

function warningsOf(definition: PlanDefinition): string {
  const { warnings } = createPlan(definition)
  return warnings.length === 0
    ? 'no warning'
    : warnings.map(({ code, path }) => `warned of ${code} at ${path}`).join(', ')
}

function refusal(ask: () => unknown): string {
  try {
    return String(ask())
  } catch (error) {
    if (isKeystampError(error)) return `${error.code}: ${error.message}`
    throw error
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
