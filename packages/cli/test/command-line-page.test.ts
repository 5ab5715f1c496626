import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EXIT_CODES } from '../src/exit-codes.ts'
import { runCommand } from './run-command.ts'

const page = readFileSync(new URL('../../../docs/command-line.md', import.meta.url), 'utf8')
const lines = [...page.matchAll(/^keystamp .*$/gm)].map(([line]) => line.replace(/\s+# .*$/, ''))
const RECORD = '{"deviceId":"abc-123","date":"2018-08-09","vin":"1FTFW1ET5DFC10312","vehicle":{"vin":"x"}}'
// without `deviceId`: `locate` refuses parts that the plan does not read
const PARTS = '{"date":"2018-08-09","vin":"1FTFW1ET5DFC10312"}'

/** Records for `keystamp plan`: with only the fields that it needs. */
const DRIVES = Array.from({ length: 800 }, (_, index) => {
  const at = new Date(Date.UTC(2018, 7, 9) + index * 100).toISOString()
  return `${JSON.stringify({ deviceId: `d-${index % 400}`, date: '2018-08-09', vin: `vin-${index}`, at })}\n`
}).join('')

const CONNECTOR = JSON.stringify({
  name: 'fleet',
  config: {
    'connector.class': 'com.azure.cosmos.kafka.connect.CosmosSinkConnector',
    'azure.cosmos.account.endpoint': 'https://my-account.documents.azure.com/',
    'azure.cosmos.sink.database.name': 'fleet',
    'azure.cosmos.sink.containers.topicMap': 'drives#drives',
    topics: 'drives'
  }
})

describe('docs/command-line.md', () => {
  const before = process.cwd()
  let folder = ''

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'keystamp-'))
    mkdirSync(join(folder, 'data/deep'), { recursive: true })
    const write = (name: string, content: string | Buffer): void => writeFileSync(join(folder, name), content)
    write('plan.json', '{"into":"/partitionKey","from":[{"field":"/date"}],"suffix":{"by":"/vin","count":400}}')
    write('days.json', '{"into":"/partitionKey","from":[{"bucket":"day","of":"/at"}]}')
    write(
      'levels.json',
      '{"levels":[{"into":"/n","from":[{"field":"/n","type":"integer"}]},{"into":"/day","from":[{"field":"/day"}]}]}'
    )
    write('in.ndjson', `${RECORD}\n`)
    write('in.json', `[${RECORD}]`)
    write('trips.csv', 'date,vin\n2018-08-09,1FTFW1ET5DFC10312\n')
    write('response.json', `{"data":{"items":[${RECORD}]}}`)
    write('data/deep/in.ndjson.gz', gzipSync(`${RECORD}\n`))
    write('connector.json', CONNECTOR)
    write('drives.ndjson', DRIVES)
    write('workload.yaml', 'writes: 5000/s\nttl: 7d\nqueries:\n  - deviceId @ 20/s\n')
    process.chdir(folder)
  })

  afterAll(() => {
    process.chdir(before)
    rmSync(folder, { recursive: true, force: true })
  })

  test('shows more than ten commands', () => {
    expect(lines.length).toBeGreaterThan(10)
  })

  test.each(
    lines.filter((line) => !/^keystamp (?:emulate|xray|verify|rekey|replay|sink (?!--from-connect))/.test(line))
  )('shows a command that succeeds: %s', async (line) => {
    const { code, stderr } = await runCommand(wordsOf(line))

    expect({ code, stderr: stderr.includes('keystamp: ') && !stderr.includes('warning') }).toEqual({
      code: 0,
      stderr: false
    })
  })

  test('shows the line of JSON that the command prints', async () => {
    const { stdout } = await runCommand(['locate', '--plan', 'plan.json', PARTS, '--ranges', '20', '--json'])

    const shown = /^\{ "key".*\}$/m.exec(page)?.[0] ?? ''
    expect(JSON.parse(stdout)).toEqual(JSON.parse(shown))
  })

  test('lists every exit code', () => {
    const listed = [...page.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code))

    expect(listed).toEqual(Object.values(EXIT_CODES))
  })
})

/** The words of a line as a shell splits it: at blanks, but not inside single quotes. */
function wordsOf(line: string): readonly string[] {
  const words = line.match(/'[^']*'|\S+/g) ?? []
  return words.slice(1).map((word) => word.replace(/^'(.*)'$/, '$1'))
}
