import { copyFile, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { type BrokerProcess, startBrokerProcess } from './broker-process.ts'
import { type BrokerLocation, brokerSettings, type Cluster, logSettings } from './broker-settings.ts'
import { formatData, uuid } from './format-data.ts'
import type { InstalledKafka } from './install-kafka.ts'
import { runProgram } from './run-program.ts'
import { createSecureListener, scramOptions, type SecureListener } from './secure-listener.ts'
import { waitForGroups } from './wait-for-groups.ts'

/** A broker that this process has started. */
export interface Broker {
  readonly address: string
  readonly secure: SecureListener | undefined
  readonly stop: () => Promise<void>
  readonly kill: () => Promise<void>
  readonly restart: () => Promise<void>
  readonly freeze: () => void
  readonly thaw: () => void
  readonly setPassword: (user: string, password: string) => Promise<void>
}

export interface BrokerOptions {
  readonly installed: InstalledKafka
  readonly cluster: Cluster
  /** Node id in the cluster, from 1. */
  readonly node: number
  readonly properties: Readonly<Record<string, string>>
  /** Users of the secure listener, and their passwords. */
  readonly users: Readonly<Record<string, string>> | undefined
}

/** Starts a broker in a temporary folder; resolves when it answers requests about consumer groups. */
export async function startBroker({ installed, cluster, node, properties, users }: BrokerOptions): Promise<Broker> {
  const folder = await mkdtemp(join(tmpdir(), 'keystamp-kafka-'))
  const location = { cluster, node, folder, port: await freePort() }
  const address = `127.0.0.1:${location.port}`
  const secure = users === undefined ? undefined : await createSecureListener(location, users)
  await writeFile(join(folder, 'server.properties'), brokerSettings(location, { ...secure?.properties, ...properties }))
  await writeFile(join(folder, 'log4j2.yaml'), logSettings(folder))
  await (users === undefined
    ? prepareData(location, installed)
    : formatData(folder, installed.jars, cluster.id, scramOptions(users)))
  let isWarm = await exists(installed.archive)
  let running = await launch()
  return {
    address,
    secure,
    stop,
    kill,
    restart: async () => void (running = await launch()),
    freeze: () => running.freeze(),
    thaw: () => running.thaw(),
    setPassword
  }

  async function launch(): Promise<BrokerProcess> {
    const started = await startBrokerProcess(folder, javaOptions(folder, installed, isWarm))
    try {
      await Promise.race([waitForGroups(address), started.ended.then(async (why) => fail(why, folder))])
      started.release()
      return started
    } catch (error) {
      await started.end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  }

  async function setPassword(user: string, password: string): Promise<void> {
    // the tool accepts one mechanism at a time
    const change = `SCRAM-SHA-512=[password=${password}]`
    const whom = ['--alter', '--add-config', change, '--entity-type', 'users', '--entity-name', user]
    const tool = ['-cp', installed.jars.join(':'), 'kafka.admin.ConfigCommand', '--bootstrap-server', address]
    const { code, output } = await runProgram('java', [...tool, ...whom])
    if (code !== 0) throw new Error(`Kafka could not change a password: ${output}`)
  }

  async function kill(): Promise<void> {
    await running.end('SIGKILL')
  }

  async function stop(): Promise<void> {
    // only an orderly shutdown writes the archive of classes
    await running.end(isWarm ? 'SIGKILL' : 'SIGTERM')
    if (!isWarm) await keepArchive(folder, installed.archive)
    isWarm = true
    await rm(folder, { recursive: true, force: true })
  }
}

/** Writes the same files as formatting, in far less time. */
async function prepareData({ cluster, node, folder }: BrokerLocation, { bootstrap }: InstalledKafka): Promise<void> {
  await mkdir(join(folder, 'data'))
  await copyFile(bootstrap, join(folder, 'data', 'bootstrap.checkpoint'))
  const names = `version=1\nnode.id=${node}\ncluster.id=${cluster.id}\ndirectory.id=${uuid()}\n`
  await writeFile(join(folder, 'data', 'meta.properties'), names)
}

function javaOptions(folder: string, { jars, archive }: InstalledKafka, isWarm: boolean): string[] {
  const sharing = isWarm ? `-XX:SharedArchiveFile=${archive}` : `-XX:ArchiveClassesAtExit=${archiveIn(folder)}`
  // only the first JIT compiler: a broker for tests lives for seconds
  const machine = [
    '-Xms64m',
    '-Xmx384m',
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    '-Xlog:disable',
    '-Xlog:all=error:stderr',
    sharing
  ]
  return [
    ...machine,
    '-cp',
    jars.join(':'),
    `-Dlog4j2.configurationFile=${folder}/log4j2.yaml`,
    'kafka.Kafka',
    `${folder}/server.properties`
  ]
}

function archiveIn(folder: string): string {
  return join(folder, 'classes.jsa')
}

async function keepArchive(folder: string, archive: string): Promise<void> {
  if (!(await exists(archiveIn(folder)))) return
  const temporary = `${archive}.${process.pid}`
  await copyFile(archiveIn(folder), temporary)
  await rename(temporary, archive)
}

async function fail(why: string, folder: string): Promise<never> {
  const said = await Promise.all(
    ['java.log', 'broker.log'].map((name) => readFile(join(folder, name), 'utf8').catch(() => ''))
  )
  const lines = said.flatMap((text) => text.split('\n')).filter((line) => line !== '' && !line.startsWith('SLF4J'))
  throw new Error(`Kafka could not be started. ${why} ${lines.slice(0, 3).join(' ')}`)
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false
  )
}
