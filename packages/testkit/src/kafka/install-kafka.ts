import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brokerSettings } from './broker-settings.ts'
import { formatData, uuid } from './format-data.ts'
import { runProgram } from './run-program.ts'

/** Jars of the broker, and files that shorten its start. */
export interface InstalledKafka {
  readonly version: string
  readonly jars: readonly string[]
  /** File that formatting writes into every data folder: the features of this version. */
  readonly bootstrap: string
  /** Java's archive of loaded classes, which halves the start time; the first broker creates it. */
  readonly archive: string
}

const POM = fileURLToPath(new URL('../../kafka/pom.xml', import.meta.url))

/**
 * Downloads the broker by Maven, once for all projects of this user: 44 MB. Safe when several processes do it at once.
 */
export async function installKafka(
  java: Java,
  env: NodeJS.ProcessEnv,
  say: (line: string) => void
): Promise<InstalledKafka | { readonly missing: string }> {
  const version = await readVersion()
  const folder = folderOf(version, env)
  if (!(await exists(folder))) {
    say(`fetching Kafka ${version} by Maven into ${folder}, once`)
    const missing = await fetchInto(folder)
    if (missing !== undefined) return { missing }
  }
  const jars = (await readdir(join(folder, 'jars'))).toSorted().map((name) => join(folder, 'jars', name))
  return { version, jars, bootstrap: join(folder, BOOTSTRAP), archive: join(folder, `classes-${java.version}.jsa`) }
}

/** Reason why Maven is needed and missing; undefined if it exists, or the download is complete. */
export async function whyNoMaven(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (await exists(folderOf(await readVersion(), env))) return undefined
  const { code } = await runProgram('mvn', ['-v'])
  return code === 0 ? undefined : `There is no Maven on this machine: ${REMEDY}`
}

const BOOTSTRAP = 'bootstrap.checkpoint'

async function readVersion(): Promise<string> {
  const version = /<artifactId>kafka_[\d.]+<\/artifactId>\s*<version>([^<]+)/.exec(await readFile(POM, 'utf8'))?.[1]
  if (version === undefined) throw new Error(`${POM} names no version of Kafka.`)
  return version
}

async function fetchInto(folder: string): Promise<string | undefined> {
  const parent = join(folder, '..')
  await mkdir(parent, { recursive: true })
  const temporary = await mkdtemp(`${folder}.`)
  try {
    const maven = [
      '-q',
      '-B',
      '-f',
      POM,
      'dependency:copy-dependencies',
      '-DincludeScope=runtime',
      `-DoutputDirectory=${temporary}/jars`
    ]
    const { code, output } = await runProgram('mvn', maven)
    if (code === undefined) return `There is no Maven on this machine: ${REMEDY}`
    if (code !== 0) return `Maven could not fetch Kafka: ${firstError(output)}`
    await keepBootstrap(temporary)
    await moveUnlessThere(temporary, folder)
    return undefined
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

function firstError(output: string): string {
  return /^\[ERROR\] (.*)$/m.exec(output)?.[1] ?? 'it did not say why.'
}

/** Saves the file that is the same in all formatted data folders. */
async function keepBootstrap(folder: string): Promise<void> {
  const settings = join(folder, 'server.properties')
  const cluster = { id: uuid(), size: 1, controllerPort: 2 }
  await writeFile(settings, brokerSettings({ cluster, node: 1, folder, port: 1 }, {}))
  await formatData(folder, [`${folder}/jars/*`], cluster.id)
  await rename(join(folder, 'data', BOOTSTRAP), join(folder, BOOTSTRAP))
  await rm(join(folder, 'data'), { recursive: true })
  await rm(settings)
}

async function moveUnlessThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    // another process was faster
    if (!(await exists(to))) throw error
  }
}

function folderOf(version: string, env: NodeJS.ProcessEnv): string {
  return join(cacheFolder(env), 'keystamp', `kafka-${version}`)
}

function cacheFolder(env: NodeJS.ProcessEnv): string {
  if (env['XDG_CACHE_HOME'] !== undefined) return env['XDG_CACHE_HOME']
  return process.platform === 'darwin' ? join(homedir(), 'Library', 'Caches') : join(homedir(), '.cache')
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false
  )
}

/** Java runtime for the broker. */
interface Java {
  /** Version such as `17.0.15`. */
  readonly version: string
}

const OLDEST = 17

/** Remedy if a requirement of the broker is missing. */
const REMEDY: string = `install Java ${OLDEST} or later and Maven, or set KEYSTAMP_KAFKA=host:port to any Kafka.`

/** Looks for Java. Returns what is missing otherwise. */
export async function findJava(): Promise<Java | { readonly missing: string }> {
  if (process.platform === 'win32')
    return { missing: 'The broker is started by a shell, which Windows lacks: set KEYSTAMP_KAFKA=host:port.' }
  const { code, output } = await runProgram('java', ['-version'])
  if (code !== 0) return { missing: `There is no Java on this machine: ${REMEDY}` }
  const version = /version "([\d.]+)/.exec(output)?.[1] ?? '0'
  if (Number.parseInt(version, 10) < OLDEST) return { missing: `Java ${version} is too old for the broker: ${REMEDY}` }
  return { version }
}
