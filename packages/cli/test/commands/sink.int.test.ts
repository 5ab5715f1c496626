import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { EXIT_CODES } from '../../src/exit-codes.ts'
import { runCommand } from '../run-command.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

const COMMAND = fileURLToPath(new URL('../../bin/keystamp.mjs', import.meta.url))
const CONNECTOR = {
  name: 'fleet',
  config: {
    'connector.class': 'com.azure.cosmos.kafka.connect.CosmosSinkConnector',
    'azure.cosmos.account.endpoint': 'https://my-account.documents.azure.com/',
    'azure.cosmos.account.key': '${env:COSMOS_KEY}',
    'azure.cosmos.sink.database.name': 'fleet',
    'azure.cosmos.sink.containers.topicMap': 'drives#drives',
    topics: 'drives',
    'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
    'value.converter.schemas.enable': 'false',
    'tasks.max': '4'
  }
}

describe('keystamp sink', () => {
  const path = useTemporaryFolder()

  test.each([
    [[], 'Name a configuration: --config sink.yaml.'],
    [['--show-values', '-c', 'sink.yaml'], '--show-values needs --check.'],
    [
      ['--json', '-c', 'sink.yaml'],
      '--json needs --check, --from-connect or --migrate-config: a running sink writes its log as JSON in any case.'
    ],
    [
      ['--from-connect', 'a.json', '--check'],
      '--from-connect can be combined only with --json: it translates, and starts no sink.'
    ],
    [
      ['--from-connect', 'a.json', '--migrate-config'],
      '--from-connect can be combined only with --json: it translates, and starts no sink.'
    ],
    [['--migrate-config'], 'Name a configuration: --config sink.yaml.'],
    [
      ['--migrate-config', '--check', '-c', 'a.yaml'],
      '--migrate-config cannot be combined with --check: migrate the file first.'
    ],
    [
      ['--from-connect', '/nowhere.json'],
      'The configuration /nowhere.json cannot be read: there is no such file or folder.'
    ]
  ])('refuses %j', async (args, sentence) => {
    expect(await runCommand(['sink', ...args])).toEqual({ code: 2, stdout: '', stderr: `keystamp: ${sentence}\n` })
  })

  test('reports every mistake of a configuration with its position', async () => {
    const file = path('sink.yaml')
    writeFileSync(
      file,
      'name: drives\nkafca: {}\ncosmos: { endpoint: http://127.0.0.1:8081/, database: d, container: c }\n'
    )

    const { code, stdout, stderr } = await runCommand(['sink', '--config', file])

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe(
      `keystamp: ${file} has 2 mistakes:\n` +
        `  ${file}:1:1 kafka is missing: Kafka cluster and topics to read from\n` +
        `  ${file}:2:1 kafca is not known; did you mean "kafka"?\n`
    )
  })

  test('reports that the file of the configuration does not exist', async () => {
    const { code, stderr } = await runCommand(['sink', '--config', '/nowhere.yaml'])

    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'keystamp: The configuration /nowhere.yaml cannot be read: there is no such file or folder.\n'
    })
  })

  test('reads a configuration from standard input, and prints the mistakes of a check as JSON', async () => {
    const { code, stdout } = await runCommand(['sink', '--check', '--json', '--config', '-'], {
      input: 'name: drives\nstall: soon\n'
    })

    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      mistakes: [
        { path: ['kafka'], position: { line: 1, column: 1 } },
        { path: ['cosmos'], position: { line: 1, column: 1 } },
        { path: ['stall'], position: { line: 2, column: 8 } }
      ]
    })
  })

  test('ends a check at the first signal, even while Kafka and Cosmos DB do not answer', async () => {
    // accepts connections, and never answers
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const broker = `127.0.0.1:${(silent.address() as AddressInfo).port}`
    const config = `name: drives\nkafka: { brokers: ['${broker}'], topics: [drives], group: g }\ncosmos: { endpoint: 'http://${broker}', key: a2V5, database: d, container: c }\n`
    const child = spawn(process.execPath, [COMMAND, 'sink', '--check', '--config', '-'], {
      stdio: ['pipe', 'ignore', 'pipe']
    })
    const said: Buffer[] = []
    child.stderr.on('data', (bytes: Buffer) => said.push(bytes))
    child.stdin.end(config)
    await once(silent, 'connection')
    child.kill('SIGINT')
    const startMs = performance.now()
    const [code] = (await once(child, 'exit')) as [number | null]
    silent.close()

    expect({ code, said: Buffer.concat(said).toString() }).toEqual({
      code: 130,
      said: 'keystamp: interrupted before everything was checked.\n'
    })
    expect(performance.now() - startMs).toBeLessThan(3000)
  })

  test('reads environment variables, and reports a misspelled variable', async () => {
    const env = { KEYSTAMP_SINK_STALL_TIMEOU: '5s' }
    const { stderr } = await runCommand(['sink', '--check', '--config', '-'], { input: 'name: drives\n', env })

    expect(stderr).toContain('KEYSTAMP_SINK_STALL_TIMEOU is not known; did you mean KEYSTAMP_SINK_STALL_TIMEOUT?')
  })

  test('prints a configuration with the current names of its keys, and lists the renamed keys on standard error', async () => {
    const input = '# fleet\nname: drives\nstall: 90s # long\nkafka: { heartbeat: 2s }\n'
    const migrated = '# fleet\nname: drives\nstallTimeout: 90s # long\nkafka: { heartbeatInterval: 2s }\n'

    expect(await runCommand(['sink', '--migrate-config', '--config', '-'], { input })).toEqual({
      code: 0,
      stdout: migrated,
      stderr:
        'keystamp: renamed stall to stallTimeout.\nkeystamp: renamed kafka.heartbeat to kafka.heartbeatInterval.\n'
    })
    expect(await runCommand(['sink', '--migrate-config', '--config', '-'], { input: migrated })).toEqual({
      code: 0,
      stdout: migrated,
      stderr: 'keystamp: standard input uses no former names.\n'
    })
    const asJson = await runCommand(['sink', '--migrate-config', '--config', '-', '--json'], { input })
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      text: migrated,
      renamed: [{ from: 'stall', to: 'stallTimeout' }, {}]
    })
  })

  test('refuses to migrate a key that is set under both names', async () => {
    const { code, stderr } = await runCommand(['sink', '--migrate-config', '-c', '-'], {
      input: 'stall: 9s\nstallTimeout: 8s\n'
    })

    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('stall is the former name of stallTimeout, which is also set')
    })
  })

  test('translates a configuration of Microsoft’s connectors: YAML on standard output, notes on standard error', async () => {
    const { code, stdout, stderr } = await runCommand(['sink', '--from-connect', '-'], {
      input: JSON.stringify(CONNECTOR)
    })

    expect(code).toBe(0)
    expect(stdout).toMatch(/^name: fleet\nkafka:\n {2}topics:\n {4}- drives\n {2}group: connect-fleet\n/)
    expect(stderr).toMatch(/^To check:\n {2}[\s\S]*Nothing to do:\n {2}tasks\.max is not needed/)
  })

  test('ends with exit code 2 if a key could not be translated', async () => {
    const config = { ...CONNECTOR.config, 'unheard.of': 'x' }
    const input = JSON.stringify({ ...CONNECTOR, config })

    const { code, stderr } = await runCommand(['sink', '--from-connect', '-'], { input })
    const asJson = await runCommand(['sink', '--from-connect', '-', '--json'], { input })

    expect(code).toBe(2)
    expect(stderr).toMatch(/^Not translated, [^\n]*\n {2}unheard\.of is not a known key: find out what it did\.\n/)
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      notes: expect.arrayContaining([expect.objectContaining({ kind: 'refused', key: 'unheard.of' })])
    })
  })

  test('refuses to translate a configuration that is not of a sink connector of Microsoft', async () => {
    const { code, stderr } = await runCommand(['sink', '--from-connect', '-'], { input: '{}' })

    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('its connector.class is missing')
    })
  })

  test('has all its exit codes described in docs/sink.md', () => {
    const page = readFileSync(new URL('../../../../docs/sink.md', import.meta.url), 'utf8')
    const listed = [...page.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code))

    const { ok, failed, usage, rejected, abandoned, interrupted } = EXIT_CODES
    expect(listed).toEqual([ok, failed, usage, rejected, abandoned, interrupted])
  })
})
