// Packs every public package, installs the packs into an empty folder, and uses them there as a new user does: imports
// each package by its name, runs the command, and runs the examples of each README. Prints a line for each step.
//   node scripts/try-packages.mjs
// KEYSTAMP_KAFKA names the broker for the README of the connector; without it that step is left out.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { publicPackages } from './public-packages.mjs'

const folder = mkdtempSync(join(tmpdir(), 'keystamp-packages-'))
const { KEYSTAMP_KAFKA: brokers, NODE_OPTIONS: _options, ...ENV } = process.env
const TOPIC = `drives-${process.pid}`
let emulator
try {
  const packages = publicPackages()
  installPacks(packages)
  for (const { name } of packages) await step(`import ${name}`, () => runModule(`await import('${name}')`))
  emulator = await startEmulator()
  await writeInputs(emulator.endpoint)
  if (brokers !== undefined) await createTopic()
  await step('keystamp --help', () => runShell('npx keystamp --help', 'Usage: keystamp'))
  await step('keystamp demo', () =>
    runShell('npx keystamp demo --seconds 10', 'A generator feeds the same sinks instead.')
  )
  for (const { folder: source } of packages) await runReadme(source)
} finally {
  await emulator?.stop()
  rmSync(folder, { recursive: true, force: true })
}

function installPacks(packages) {
  execFileSync(
    'npm',
    ['pack', '--silent', '--pack-destination', folder, ...packages.map((each) => `./${each.folder}`)],
    {
      stdio: ['ignore', 'ignore', 'inherit']
    }
  )
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const packs = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent', '--prefer-offline']
  execFileSync('npm', ['install', ...options, ...packs.map((pack) => `./${pack}`)], { cwd: folder, stdio: 'inherit' })
}

async function startEmulator() {
  const entry = pathToFileURL(join(folder, 'node_modules/@keystamp/emulator/dist/index.js')).href
  const started = await (await import(entry)).startEmulator({ auth: 'off' })
  const headers = { authorization: 'none', 'x-ms-version': '2020-07-15', 'x-ms-date': new Date().toUTCString() }
  const create = (path, body) =>
    fetch(`${started.endpoint}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  await create('dbs', { id: 'fleet' })
  await create('dbs/fleet/colls', {
    id: 'drives',
    partitionKey: { paths: ['/partitionKey'], kind: 'Hash', version: 2 }
  })
  return started
}

/** Creates the empty topic from which the sink reads. */
async function createTopic() {
  const { Kafka, logLevel } = createRequire(join(folder, 'package.json'))('kafkajs')
  const admin = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  await admin.createTopics({ topics: [{ topic: TOPIC, numPartitions: 1 }], waitForLeaders: true })
  await admin.disconnect()
}

/** Writes the input files that the READMEs name. */
async function writeInputs(endpoint) {
  const drives = [1, 2, 3].map((day) =>
    JSON.stringify({ deviceId: 'abc-123', date: 2018, day, partitionKey: 'abc-123-2018' })
  )
  writeFileSync(join(folder, 'drives.ndjson'), `${drives.join('\n')}\n`)
  const sink = {
    name: 'drives',
    kafka: { brokers: brokers?.split(','), topics: [TOPIC] },
    cosmos: { endpoint, key: emulator.key, database: 'fleet', container: 'drives' },
    plan: { into: '/partitionKey', from: [{ field: '/deviceId' }, { field: '/date' }] },
    http: { host: '127.0.0.1', port: await freePort() }
  }
  writeFileSync(join(folder, 'sink.yaml'), JSON.stringify(sink))
}

/** Runs the code blocks of a README, and its commands except for installations. */
async function runReadme(source) {
  const readme = readFileSync(join(source, 'README.md'), 'utf8')
  for (const [, language, text] of readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (language === 'js' || language === 'ts') await runSnippet(`README of ${source}: ${language}`, text)
    else for (const command of commandsOf(text)) await runSnippet(`README of ${source}: ${command}`, command, command)
  }
}

function commandsOf(text) {
  return text
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, ''))
    .filter((line) => line.startsWith('npx ') && line !== 'npx @keystamp/emulator')
}

async function runSnippet(title, text, command) {
  const local = text
    .replace('https://my-account.documents.azure.com/', emulator.endpoint)
    .replace('--port 8081', '--port 0')
  const isSink = text.includes('sink.yaml')
  if (isSink && brokers === undefined) return console.log(`left out ${title} (no KEYSTAMP_KAFKA)`)
  const promised = text.split('\n').flatMap((line) => /console\.log\(.*\) \/\/ (.*)$/.exec(line)?.[1] ?? [])
  await step(title, () => {
    if (isSink || text.includes('@keystamp/emulator --port'))
      return runUntilReady(command === undefined ? moduleOf(local) : local, isSink)
    return command === undefined ? runModule(local, promised.join('\n')) : runShell(local)
  })
}

/**
 * Writes a snippet into a file. Adds a connection string if the snippet expects one, and returns the command to run it.
 */
function moduleOf(text) {
  const connection = `AccountEndpoint=${emulator?.endpoint};AccountKey=${emulator?.key};`
  writeFileSync(
    join(folder, 'snippet.mjs'),
    text.includes('connectionString,') ? `const connectionString = '${connection}'\n${text}` : text
  )
  return 'node snippet.mjs'
}

function runModule(text, expected = '') {
  return runShell(moduleOf(text), expected)
}

async function runShell(command, expected = '') {
  const { code, said } = await start(command).ended
  if (code !== 0 || !said.includes(expected)) throw new Error(`ended with ${code}, and printed:\n${said}`)
}

/** Runs a command that does not end by itself. Once it is ready, sends SIGTERM, as an orchestrator does. */
async function runUntilReady(command, isSink) {
  const { http } = JSON.parse(readFileSync(join(folder, 'sink.yaml'), 'utf8'))
  const child = start(command)
  const isReady = async () =>
    isSink ? (await fetch(`http://127.0.0.1:${http.port}/readyz`).catch(() => undefined))?.ok : child.said() !== ''
  for (let tries = 0; tries < 300 && !(await isReady()); tries++) {
    const ended = await Promise.race([child.ended, setTimeout(100)])
    if (ended !== undefined) throw new Error(`ended early with ${ended.code}, and printed:\n${ended.said}`)
  }
  child.stop()
  const { code, said } = await child.ended
  if (code !== 0) throw new Error(`ended with ${code}, and printed:\n${said}`)
}

function start(command) {
  // without a shell around it, so that the signal reaches the program
  const [program, ...args] = command.split(' ').filter((word) => word !== 'npx')
  const path =
    program === 'node'
      ? process.execPath
      : join(folder, 'node_modules/.bin', program === '@keystamp/emulator' ? 'keystamp-emulator' : program)
  const child = spawn(path, args, { cwd: folder, env: ENV, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  return {
    said: () => said,
    stop: () => child.kill('SIGTERM'),
    ended: new Promise((resolve, reject) =>
      child.once('error', reject).once('close', (code) => resolve({ code, said }))
    )
  }
}

async function step(title, work) {
  try {
    await work()
    console.log(`ok       ${title}`)
  } catch (error) {
    console.log(`FAILED   ${title}: ${error.message}`)
    process.exitCode = 1
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
