import { createWriter, type Writer } from '@keystamp/cosmos'
import type { PlanOptions } from '../plan/plan-from-options.ts'
import { inOptionNames } from '../in-option-names.ts'
import { emptyWarning, sayThatInputIsRead } from '../say-of-inputs.ts'
import type { Surroundings } from '../surroundings.ts'
import { type CheckpointFile, createCheckpointFile, type LoadIdentity, type Resumption } from './checkpoint.ts'
import { describeLoad } from './describe-load.ts'
import { dryRunOf } from './dry-run-of.ts'
import { hasConnectionString } from './target.ts'
import { findCredentials } from './find-credentials.ts'
import { createLoadView } from './load-view.ts'
import { operationMaker } from './operation-maker.ts'
import { BEGINNING, type Place } from './place.ts'
import { type LoadSettings, type PreparedLoad, prepareLoad } from './prepare-load.ts'
import { createProgressMeter } from './progress-meter.ts'
import { readAhead } from './read-ahead.ts'
import { formOf, isReadFromBeginning, readInput } from './read-input.ts'
import type { RejectedLine } from './reject-file.ts'
import { createRejectPolicy, parseRejectPolicy, type RejectPolicy } from './reject-policy.ts'
import { refuseSameFile } from './refuse-same-file.ts'
import { createLoad, type Load, type LoadCounts } from './run-load.ts'
import { createShape } from './shape-line.ts'

/** Loads files into a container; false when the user ended it before its time. */
export async function loadFiles(
  names: readonly string[],
  settings: PlanOptions & LoadSettings,
  surroundings: Surroundings
): Promise<boolean> {
  const prepared = await prepareLoad(names, settings, surroundings.env)
  const rules = parseRejectPolicy(settings.onError, settings.maxRejected)
  const { share } = prepared
  if (typeof share === 'number' && share < FEW_RU && settings.quiet !== true) {
    // 0.5 of something is a half, and 50 are 50 percent
    const percent = share <= 1 ? Number((share * 100).toPrecision(6)) : share
    const meant = `--share ${share} means ${share} RU/s. For ${percent} percent of the throughput write --share ${percent}%.`
    surroundings.stderr.write(`keystamp: warning: ${meant}\n`)
  }
  if (settings.quiet !== true && hasConnectionString(settings.to ?? '')) surroundings.stderr.write(KEY_IS_VISIBLE)
  if (settings.quiet !== true && names.includes('-')) sayThatInputIsRead(surroundings)
  if (settings.dryRun === true) {
    if (settings.quiet !== true)
      for (const { message } of prepared.plan?.warnings ?? []) surroundings.stderr.write(`keystamp: warning: ${message}\n`)
    surroundings.stdout.write(await dryRunOf(prepared, surroundings))
    return true
  }
  const checkpoint = openCheckpoint(prepared)
  await refuseSameFile({ inputs: names, plan: settings.plan, checkpoint: checkpoint?.path, collect: rules.file })
  const resumed = await checkpoint?.file.read()
  const begin = resumed?.place
  await checkpoint?.file.tryOut()
  const view = createLoadView(settings.progress, surroundings.stderr)
  const rejects = await createRejectPolicy(rules, begin !== undefined)
  try {
    if (resumed !== undefined && settings.quiet !== true) surroundings.stderr.write(resumedText(resumed, prepared))
    return await loadInto({ prepared, surroundings, checkpoint, begin: begin ?? BEGINNING, rejects, view })
  } finally {
    view?.clear()
    await rejects.close()
  }
}

const KEY_IS_VISIBLE =
  'keystamp: warning: others on this machine can see the account key in --to. Put the connection string into COSMOS_CONNECTION_STRING, and say --to database/container.\n'

// less than the smallest container has by a factor of four: a percent sign is likely to be missing
const FEW_RU = 100

interface Loading {
  readonly prepared: PreparedLoad
  readonly surroundings: Surroundings
  readonly checkpoint: { readonly path: string; readonly file: CheckpointFile } | undefined
  readonly begin: Place
  readonly rejects: RejectPolicy
  readonly view: ReturnType<typeof createLoadView>
}

const SAVE_MS = 1000

// enough for some thousands of records on their way: more is no faster, and only takes memory
const ROOM_BYTES = 8 * 1024 * 1024

const CLOSE_MS = 30_000
const INTERRUPTED_CLOSE_MS = 10_000

async function loadInto(loading: Loading): Promise<boolean> {
  const { prepared, surroundings, checkpoint, rejects, view, begin } = loading
  const { signal, stderr, stdin, now } = surroundings
  const { settings, plan, ids, strategy, inputs, format } = prepared
  const reading = readAhead((name, from) => readInput(name, format, { from, stdin, signal }), inputs[begin.input]?.name, begin.from)
  const writer = await openWriter(prepared, surroundings).catch((error: unknown) => {
    reading.close()
    throw error
  })
  if (settings.quiet !== true)
    // of a small share the command has warned before it opened the container
    for (const warning of writer.warnings.filter((each) => !each.startsWith('`share` is ')))
      stderr.write(`keystamp: warning: ${inOptionNames(warning, ['share'])}\n`)
  const load = createLoad({
    inputs: inputs.map(({ name }) => name),
    begin,
    read: reading.read,
    unitOf: (name) => (formOf(name, format) === 'array' ? 'index' : 'line'),
    shape: createShape(plan, ids),
    toOperation: operationMaker(strategy),
    writer,
    onRejected: async (rejected) => {
      const { records } = load.counts
      await saving.beforeReject()
      await rejects.add(plan === undefined ? withPlanHint(rejected) : rejected, records)
    },
    signal
  })
  const startMs = now()
  const saving = saveNowAndThen(load, loading)
  const measure = createProgressMeter({ inputs, counts: load.counts, begin, stats: writer.stats, now })
  const shown = view === undefined ? undefined : setInterval(() => view.show(measure()), view.everyMs)
  // of several failures the first is told: the others follow from it
  await load.run().catch(load.stop)
  if (!signal.aborted && load.failure() === undefined) checkRejected()
  clearInterval(shown)
  await writer.close(signal.aborted ? INTERRUPTED_CLOSE_MS : CLOSE_MS).catch(load.stop)
  const isRemembered = await saving.end(!signal.aborted && load.failure() === undefined).catch(forgotten)
  view?.clear()
  if (settings.quiet !== true && load.counts.records === 0 && begin === BEGINNING && load.failure() === undefined && !signal.aborted) {
    stderr.write(emptyWarning(inputs.map(({ name }) => name)))
  }
  // a load that failed before its first record says why, and nothing else
  if (settings.quiet !== true && (load.failure() === undefined || load.counts.records > 0)) {
    stderr.write(describeLoad(load.counts, rejects, writer.stats(), (now() - startMs) / 1000, strategy))
  }
  if (checkpoint !== undefined && isRemembered) {
    stderr.write(`keystamp: progress is saved in ${checkpoint.path}: the same command resumes from there.\n`)
  }
  const failure = load.failure()
  if (failure !== undefined) throw failure
  return !signal.aborted

  function checkRejected(): void {
    try {
      rejects.checkAtEnd(load.counts.records)
    } catch (error) {
      load.stop(error)
    }
  }

  function forgotten(error: unknown): boolean {
    if (signal.aborted) stderr.write(`keystamp: ${(error as Error).message}\n`)
    load.stop(error)
    return false
  }
}

function withPlanHint(rejected: RejectedLine): RejectedLine {
  if (rejected.code !== 'FIELD_MISSING') return rejected
  const hint = 'Without a plan the record itself must hold the key of the container: let --plan or --from make it.'
  return { ...rejected, message: `${rejected.message} ${hint}` }
}

interface Saving {
  /** Resolves when a file of rejected records may be made: only next to a checkpoint can it be continued after a `kill -9`. */
  readonly beforeReject: () => Promise<void>
  /** Takes the checkpoint away when all is done, and saves it a last time otherwise; says whether there is one. */
  readonly end: (isDone: boolean) => Promise<boolean>
}

function saveNowAndThen(load: Load, { prepared, checkpoint, begin, rejects }: Loading): Saving {
  if (checkpoint === undefined) return { beforeReject: () => Promise.resolve(), end: () => rejects.sync().then(() => false) }
  let saving: Promise<void> = Promise.resolve()
  const { file } = checkpoint
  const isCollecting = prepared.settings.onError.startsWith('collect:')
  let first: Promise<void> | undefined = begin === BEGINNING && isCollecting ? undefined : saving

  async function save(): Promise<void> {
    const place = load.place()
    // the copies of what is rejected before that place must not be younger than the checkpoint
    await rejects.sync()
    await file.write(place)
  }

  function saveNext(): Promise<void> {
    saving = saving.then(save).catch(load.stop)
    return saving
  }

  const timer = setInterval(() => void saveNext(), SAVE_MS)
  return {
    beforeReject: () => (first ??= saveNext()),
    end: async (isDone) => {
      clearInterval(timer)
      await saving
      // a load that has done nothing leaves nothing
      const isAnew = begin === BEGINNING && !hasSettled(load.counts) && !(isCollecting && first !== undefined)
      if (!isDone && !isAnew) return save().then(() => true)
      await rejects.sync()
      await file.remove()
      return false
    }
  }
}

function hasSettled({ written, unchanged, rejected }: LoadCounts): boolean {
  return written + unchanged + rejected > 0
}

async function openWriter({ settings, target, plan, share }: PreparedLoad, { env }: Surroundings): Promise<Writer> {
  const name = `${new URL(target.endpoint).host}/${target.database}/${target.container}`
  return createWriter({
    ...target,
    ...(await findCredentials(target, env)),
    ...(plan === undefined ? {} : { plan }),
    metadataBy: 'direct',
    ...(settings.redis === undefined ? {} : { sharedThrough: { redis: settings.redis, name } }),
    share,
    maxBytes: ROOM_BYTES
  })
}

function openCheckpoint({ settings, target, plan, inputs, format }: PreparedLoad): Loading['checkpoint'] {
  const [{ name }] = inputs
  const path = settings.checkpoint ?? (name === '-' ? false : `${name}.checkpoint`)
  if (path === false) return undefined
  const identity: LoadIdentity = {
    target: `${target.endpoint}${target.database}/${target.container}`,
    plan: plan?.fingerprint ?? null,
    ids: settings.id ?? null,
    strategy: settings.strategy,
    ...formIn(format)
  }
  const isWhole = (input: string): boolean => settings.id === 'position' || isReadFromBeginning(input, format)
  return { path, file: createCheckpointFile(path, identity, { inputs, isWhole }) }
}

// checkpoints of plain lines say nothing of it
function formIn({ form, pick, delimiter }: PreparedLoad['format']): Pick<LoadIdentity, 'form'> {
  const named = { form, pick, delimiter }
  return Object.values(named).every((value) => value === undefined) ? {} : { form: JSON.stringify(named) }
}

function resumedText({ place: { input, line }, changed }: Resumption, { inputs, format }: PreparedLoad): string {
  const { name } = inputs[input] ?? { name: 'the end' }
  const unit = formOf(name, format) === 'lines' ? 'line' : 'record'
  const changes = changed.map((file) => `keystamp: ${file} has changed since, but only after that ${unit}.\n`).join('')
  return `keystamp: resuming after ${unit} ${line.toLocaleString('en-US')} of ${name === '-' ? 'standard input' : name}.\n${changes}`
}
