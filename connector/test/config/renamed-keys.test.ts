import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { migrateConfig } from '../../src/config/read-config.ts'
import { fileSchema, nodesAt } from '../../src/config/file-schema.ts'
import { dottedPath, setAt } from '../../src/config/config-path.ts'
import { RENAMED_KEYS } from '../../src/config/renamed-keys.ts'
import { MINIMAL, mistakesOf, readText } from './read-text.ts'

/** For each renamed key, a value that differs from its default. */
const VALUES: Readonly<Record<string, unknown>> = {
  'kafka.heartbeat': '2s',
  'kafka.maxWait': '200ms',
  'kafka.maxInflatedBatch': '32MiB',
  'kafka.handover': '4s',
  'registry.timeout': '7s',
  'write.drop': ['debug'],
  'write.patch.members': { n: 'remove' },
  maxBytes: '16MiB',
  stall: '90s',
  shutdown: '20s',
  authGrace: '3m'
}

/** Configuration with one more key, as JSON, which is YAML too. */
function configWith(...keys: readonly (readonly [key: string, value: unknown])[]): string {
  const config = parse(MINIMAL) as object
  for (const [key, value] of keys) {
    if (key.startsWith('registry')) setAt(config, ['registry', 'url'], 'http://localhost:8081')
    if (key.startsWith('write.patch')) setAt(config, ['write', 'strategy'], 'patch')
    setAt(config, dottedPath(key), value)
  }
  return JSON.stringify(config, null, 2)
}

describe.each(RENAMED_KEYS)('$from, which is now $to', ({ from, to }) => {
  const value = VALUES[from]

  it('is read under its former name with one warning that gives the current name', async () => {
    const former = await readText(configWith([from, value]))
    const current = await readText(configWith([to, value]))

    expect(JSON.stringify(former.sinks)).toBe(JSON.stringify(current.sinks))
    expect(JSON.stringify(current.sinks)).not.toBe(JSON.stringify((await readText(configWith())).sinks))
    expect(former.warnings.filter((warning) => !current.warnings.includes(warning))).toEqual([
      `these names were changed, and are accepted until version 1.0: ${from} (now ${to}). \`keystamp sink --migrate-config\` prints the file with the current names.`
    ])
  })

  it('is refused with an error that names both keys if both are set', async () => {
    const [mistake, ...others] = await mistakesOf(configWith([from, value], [to, value]))

    expect(mistake).toContain(`${from} is the former name of ${to}, which is also set: remove ${from}`)
    expect(others).toEqual([])
  })

  it('is renamed by migrateConfig, which changes nothing else', async () => {
    const migrated = migrateConfig({ text: configWith([from, value]), name: 'sink.json' })

    expect(migrated).toEqual({ text: configWith([to, value]), renamed: [{ from, to }] })
    expect(migrateConfig({ text: migrated.text, name: 'sink.json' })).toEqual({ text: migrated.text, renamed: [] })
  })

  it('is in the schema under its current name only', () => {
    expect(nodesAt(fileSchema('one'), dottedPath(to))).not.toEqual([])
    expect(nodesAt(fileSchema('one'), dottedPath(from))).toEqual([])
  })
})

describe('former names', () => {
  it('are listed in one warning, together with former names of environment variables', async () => {
    const { sinks, warnings } = await readText(`${MINIMAL}stall: 90s\nshutdown: 5s\n`, {
      env: { KEYSTAMP_SINK_KAFKA_HEARTBEAT: '2s' }
    })

    expect(sinks[0]).toMatchObject({ stallMs: 90_000, shutdownMs: 5000, kafka: { heartbeatMs: 2000 } })
    expect(warnings).toEqual([
      'these names were changed, and are accepted until version 1.0: stall (now stallTimeout), shutdown (now shutdownTimeout), ' +
        'KEYSTAMP_SINK_KAFKA_HEARTBEAT (now KEYSTAMP_SINK_KAFKA_HEARTBEAT_INTERVAL). ' +
        '`keystamp sink --migrate-config` prints the file with the current names.'
    ])
  })

  it('of environment variables override the file, whichever name the file uses, and are refused together with the current name', async () => {
    const env = { KEYSTAMP_SINK_STALL: '40s' }
    expect((await readText(`${MINIMAL}stall: 90s\n`, { env })).sinks[0].stallMs).toBe(40_000)
    expect((await readText(`${MINIMAL}stallTimeout: 90s\n`, { env })).sinks[0].stallMs).toBe(40_000)
    expect(
      (await readText(`${MINIMAL}stall: 90s\n`, { env: { KEYSTAMP_SINK_STALL_TIMEOUT: '41s' } })).sinks[0].stallMs
    ).toBe(41_000)

    expect(await mistakesOf(MINIMAL, { env: { ...env, KEYSTAMP_SINK_STALL_TIMEOUT: '41s' } })).toEqual([
      'KEYSTAMP_SINK_STALL is the former name of KEYSTAMP_SINK_STALL_TIMEOUT, which is also set: unset KEYSTAMP_SINK_STALL'
    ])
  })

  it('of environment variables can set a key of all sinks, or of one sink by its name', async () => {
    const several = `sinks:\n  - ${MINIMAL.replaceAll('\n', '\n    ')}\n  - ${MINIMAL.replace('drives', 'stops').replaceAll('\n', '\n    ')}`
    const { sinks } = await readText(several, { env: { KEYSTAMP_SINK_STALL: '40s', KEYSTAMP_SINK_STOPS_STALL: '50s' } })

    expect(sinks.map(({ stallMs }) => stallMs)).toEqual([40_000, 50_000])
  })

  it('are accepted inside a section that an environment variable sets', async () => {
    const env = { KEYSTAMP_SINK_KAFKA: '{ brokers: ["a:1"], topics: [t], heartbeat: 2s }' }
    const { sinks, warnings } = await readText(MINIMAL, { env })

    expect(sinks[0].kafka.heartbeatMs).toBe(2000)
    expect(warnings.join()).toContain('kafka.heartbeat (now kafka.heartbeatInterval)')
  })

  it('appear in messages about invalid values, with the line and column of the file', async () => {
    expect(await mistakesOf(`${MINIMAL}stall: soon\n`)).toEqual([
      '9:8 stall must be a duration with its unit, such as 250ms, 30s or 5m'
    ])
  })

  it('are not suggested for misspelled keys and environment variables', async () => {
    expect(await mistakesOf(`${MINIMAL}stal: 5s\n`, { env: { KEYSTAMP_SINK_STAL: '5s' } })).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/did you mean "?(?:KEYSTAMP_SINK_STALL\?|stall")/)])
    )
  })
})

describe('migrateConfig', () => {
  it('keeps comments, quotes, anchors, order and layout', () => {
    const text = `\ufeff# the sinks of the fleet
sinks:
  - name: drives   # first
    kafka: &kafka
      brokers: [localhost:9092]
      "heartbeat":   2s   # twice a session
      handover: 4s
    stall: 90s
  - name: stops
    kafka: { <<: *kafka, topics: [stops], 'maxWait': 200ms }
    write: {drop: [a, b], patch: {members: {drop: remove}}}

    # stall: 5s is too short
    shutdown: 20s
`
    const { text: migrated, renamed } = migrateConfig({ text, name: 'sink.yaml' })

    expect(migrated).toBe(
      text
        .replace('"heartbeat"', '"heartbeatInterval"')
        .replace('handover:', 'handoverPeriod:')
        .replace('stall: 90s', 'stallTimeout: 90s')
        .replace("'maxWait'", "'fetchMaxWait'")
        .replace('{drop:', '{dropProperties:')
        .replace('members:', 'properties:')
        .replace('shutdown:', 'shutdownTimeout:')
    )
    expect(renamed.map(({ from }) => from)).toEqual([
      'kafka.heartbeat',
      'kafka.handover',
      'stall',
      'kafka.maxWait',
      'write.drop',
      'write.patch.members',
      'shutdown'
    ])
  })

  it('refuses text that is not YAML, and keys under both names', () => {
    expect(() => migrateConfig({ text: 'a: [', name: 'sink.yaml' })).toThrow(/sink\.yaml has .*mistake/)
    expect(() => migrateConfig({ text: 'stall: 1s\nstallTimeout: 2s\n', name: 'sink.yaml' })).toThrow(
      /sink\.yaml:1:1 stall is the former name of stallTimeout/
    )
  })
})
