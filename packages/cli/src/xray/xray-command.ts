import { openXray, pointerOfPath, type SampledDocuments, type Xray } from '@keystamp/cosmos'
import {
  countLoggedUses,
  createRandom,
  createXrayReport,
  fitsLoad,
  type LoadInput,
  type PlanReport,
  renderXrayPage,
  type Workload,
  type XrayReport
} from '@keystamp/planner'
import type { Dependencies } from '../dependencies.ts'
import { readContainer } from '../containers/container-access.ts'
import { EXIT_CODES, type ExitCode, UsageError } from '../exit-codes.ts'
import { chooseKey } from '../planner/choose-key.ts'
import { loggedQueries, readLogExports } from '../planner/log-export-file.ts'
import { inBatches } from '../planner/open-sample.ts'
import { readXrayReport } from '../planner/saved-report.ts'
import { checkOutputs, printReport } from '../planner/write-report.ts'
import {
  countWrites,
  toRangeInputs,
  toUnseenParts,
  unseenOfMerges,
  unseenOfPeriod,
  unseenOfSample,
  unseenOfSplits
} from './look.ts'
import { queriesOf } from './seen-queries.ts'
import { readingOptionsIn, readXraySettings, type XrayCommandOptions, type XraySettings } from './xray-options.ts'
import { describeXray } from './xray-text.ts'

/** Runs `keystamp xray`. */
export async function xrayCommand(
  text: string | undefined,
  options: XrayCommandOptions,
  dependencies: Dependencies
): Promise<ExitCode> {
  await checkOutputs(options)
  if (options.report !== undefined) {
    if (text !== undefined) throw new UsageError('--report prints a saved report again: leave out the container.')
    const [other] = readingOptionsIn(options)
    if (other !== undefined)
      throw new UsageError(`--report prints a saved report and reads no container: leave out ${other}.`)
    return finish(await readXrayReport(options.report), options, dependencies)
  }
  return finish(await lookAt(text, options, dependencies), options, dependencies)
}

async function finish(report: XrayReport, options: XrayCommandOptions, dependencies: Dependencies): Promise<ExitCode> {
  await printReport(report, { describe: describeXray, render: renderXrayPage }, options, dependencies)
  return CODES[report.verdict.kind]
}

const CODES: Readonly<Record<XrayReport['verdict']['kind'], ExitCode>> = {
  healthy: EXIT_CODES.ok,
  findings: EXIT_CODES.notMet,
  unknown: EXIT_CODES.failed
}

/** Reads the container, and computes the report. */
async function lookAt(
  text: string | undefined,
  options: XrayCommandOptions,
  dependencies: Dependencies
): Promise<XrayReport> {
  const { env, signal } = dependencies
  const { endpoint, database, container, ...credentials } = await readContainer(text, 'xray', env)
  const log = await readLogExports(options.logExport, { database, container }, dependencies)
  const settings = await readXraySettings(options, loggedQueries(log))
  const { maxRuPerSecond, sinceSeconds, seed } = settings
  const xray = openXray({
    endpoint,
    database,
    container,
    ...credentials,
    maxRuPerSecond,
    random: createRandom(seed),
    signal,
    onRetry: waitsOf(options, dependencies)
  })
  const showValues = options.showValues === true
  const say = progressOf(options, dependencies)
  try {
    const nowMs = Date.now()
    const to = Math.floor(nowMs / 1000)
    say('reading the container')
    const facts = await xray.facts()
    say('reading the writes')
    const load = await countWrites(xray, facts, { from: to - sinceSeconds, to })
    say('sampling documents')
    const sample = await drawRecords(xray, settings.documents)
    say('choosing a key')
    const plan = await planFor(sample, facts, load, settings, { nowMs, showValues })
    say('')
    const { offer } = facts
    const { ranges, definition } = facts
    // request units say more than writes: they count reads, too
    const logged = countLoggedUses(log?.uses ?? [], { definition: definition.partitionKey, ranges })
    return createXrayReport({
      name: `${database}/${container}`,
      definition: facts.definition.partitionKey,
      ranges: toRangeInputs(facts),
      ruPerSecond: offer?.ruPerSecond ?? null,
      throughput: offer === null ? 'unknown' : offer.autoscaleMax === undefined ? 'manual' : 'autoscale',
      isShared: offer?.of === 'database',
      documents: facts.documents,
      bytes: facts.bytes,
      looked: {
        at: new Date(nowMs).toISOString(),
        since: new Date((to - sinceSeconds) * 1000).toISOString(),
        readSeconds: load.seconds,
        requests: xray.requests(),
        chargeRu: Math.round(xray.chargeRu() * 100) / 100,
        maxRuPerSecond
      },
      load: logged ?? load,
      queries: queriesOf(log, settings.workload, {
        paths: facts.definition.partitionKey.paths.map(pointerOfPath),
        partitions: facts.ranges.length,
        showValues
      }),
      unseen: [
        ...toUnseenParts(facts.unseen),
        ...(logged === null ? unseenOfPeriod(load, sinceSeconds) : []),
        ...unseenOfSample(sample),
        ...unseenOfSplits(xray.splits()),
        ...unseenOfMerges(xray.merges())
      ],
      plan,
      showValues
    })
  } finally {
    xray.close()
  }
}

type Facts = Awaited<ReturnType<Xray['facts']>>

/** A sample as bytes, which take less memory than objects. */
type SampledRecords = Omit<SampledDocuments, 'sample'> & { readonly records: readonly Uint8Array[] }

async function drawRecords(xray: Xray, count: number): Promise<SampledRecords> {
  const { sample, ...facts } = await xray.sample(count)
  return { ...facts, records: sample.map((document) => encoder.encode(JSON.stringify(document))) }
}

const encoder = new TextEncoder()

/** The planner's answer for the sampled documents; null without documents. */
async function planFor(
  { records, method, documents }: SampledRecords,
  { definition: { partitionKey, defaultTtl } }: Facts,
  load: LoadInput,
  { workload, seed }: XraySettings,
  { nowMs, showValues }: { readonly nowMs: number; readonly showValues: boolean }
): Promise<PlanReport | null> {
  if (records.length === 0) return null
  const known: Workload = {
    ...workload,
    items: workload.items ?? (workload.totalBytes === undefined ? documents : undefined),
    ttlSeconds: workload.ttlSeconds ?? (defaultTtl === undefined || defaultTtl < 1 ? undefined : defaultTtl),
    presentKey: workload.presentKey ?? partitionKey.paths.map(pointerOfPath),
    writes: workload.writes ?? seenWrites(load)
  }
  const { report } = await chooseKey(inBatches(records), {
    workload: known,
    // pages of random seconds are compared by halves, as the records of a file are
    method: method === 'moments' ? 'whole' : method,
    seed,
    nowMs,
    given: [],
    showValues,
    onProgress: () => {},
    onInvalid: () => {}
  })
  return report
}

/** Writes that the change feed showed, if they suffice for a rate. */
function seenWrites({ counted, seconds }: LoadInput): Workload['writes'] {
  return fitsLoad(counted) && seconds > 0 ? { perSecond: counted.events / seconds, operation: 'upsert' } : undefined
}

function progressOf({ quiet }: XrayCommandOptions, { stderr }: Dependencies): (what: string) => void {
  if (quiet === true || stderr.isTTY !== true) return () => {}
  return (what) => stderr.write(`\r\u001b[K${what === '' ? '' : `${what} ...`}`)
}

/** Waits that are shorter are usual: a container at its limit throttles some requests. */
const SHOWN_WAIT_MS = 2000
const REPEATED_MS = 10_000

/** Says what a request waits for, and since when, also in a log that is no terminal. */
function waitsOf({ quiet }: XrayCommandOptions, { stderr }: Dependencies): (error: Error, waitedMs: number) => void {
  if (quiet === true) return () => {}
  let lastMs = Number.NEGATIVE_INFINITY
  return ({ message }, waitedMs) => {
    const nowMs = Date.now()
    if (waitedMs < SHOWN_WAIT_MS || nowMs - lastMs < REPEATED_MS) return
    lastMs = nowMs
    const since = new Date(nowMs - waitedMs).toISOString().slice(11, 19)
    stderr.write(`${stderr.isTTY === true ? '\r\u001b[K' : ''}keystamp: retrying since ${since} UTC: ${message}\n`)
  }
}
