import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { readConfig } from '@keystamp/connector'
import { describe, expect, it } from 'vitest'
import { instructions, pathOf, contentOf, type Service, services, textOf } from './containers.ts'

const SERVICES = services()
const ALL = Object.entries(SERVICES)
const FINAL = ['emulator', 'keystamp']

interface Manifest {
  readonly workspaces: readonly string[]
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

describe('the services of docker-compose.yml', () => {
  it('have an image that is built here, or a tag with a version number', () => {
    const built = new Set(ALL.filter(([, { build }]) => build !== undefined).map(([, { image }]) => image))
    const loose = ALL.filter(([, { image }]) => !built.has(image) && !/:[\w.-]*\d[\w.-]*$/.test(image))

    expect(loose.map(([name]) => name)).toEqual([])
  })

  it('publish ports only on 127.0.0.1, each on a port of its own', () => {
    const ports = ALL.flatMap(([, service]) => service.ports ?? [])

    expect(ports.filter((port) => !/^127\.0\.0\.1:\d+:\d+$/.test(port))).toEqual([])
    expect(new Set(ports.map((port) => port.split(':')[1])).size).toBe(ports.length)
  })

  it('mount only existing files, read-only', () => {
    const volumes = ALL.flatMap(([, service]) => service.volumes ?? [])

    expect(volumes.filter((volume) => !volume.endsWith(':ro') || !existsSync(pathOf(volume.split(':')[0])))).toEqual([])
    expect(volumes.length).toBeGreaterThan(4)
  })

  it('are built from stages of the Dockerfile', () => {
    const targets = ALL.flatMap(([, { build }]) => (build === undefined ? [] : [build.target]))

    expect([...new Set(targets)].toSorted()).toEqual(FINAL)
  })

  it('depend only on existing services, with conditions that these can meet', () => {
    const waits = ALL.flatMap(([name, service]) =>
      Object.entries(service.depends_on ?? {}).map(([other, { condition }]) => ({ name, other, condition }))
    )
    const impossible = waits.filter(({ other, condition }) => !canMeet(SERVICES[other], other, condition))

    expect(impossible).toEqual([])
  })

  // `up --wait` treats a service that has ended as failed, unless a running service waits for its completion
  it('that end by themselves are awaited by a service that keeps running', () => {
    const waitedFor = ALL.filter(([name]) => name !== 'prepare').flatMap(([, service]) =>
      Object.entries(service.depends_on ?? {}).filter(
        ([, { condition }]) => condition === 'service_completed_successfully'
      )
    )

    expect(new Set(waitedFor.map(([name]) => name))).toEqual(new Set(['prepare']))
  })

  // `up --wait` treats a service as failed if it disables the health check of its image
  it('that keep running do not disable their health check', () => {
    const hasNoHealthCheck = ([, { healthcheck }]: (typeof ALL)[number]): boolean => healthcheck?.disable === true

    expect(ALL.filter(hasNoHealthCheck).map(([name]) => name)).toEqual(['prepare'])
  })

  it('include two sinks, whose grace period is longer than their shutdown timeout', async () => {
    const { sinks } = await sinkConfig()
    const grace = textOf('docker-compose.yml').match(/stop_grace_period: (\d+)s/)?.[1]

    expect(SERVICES['sink'].deploy?.replicas).toBe(2)
    expect(Number(grace) * 1000).toBeGreaterThan(Math.max(...sinks.map(({ shutdownMs }) => shutdownMs)))
  })

  it('set no environment variable that nothing reads', () => {
    const readers = ['services.mjs', 'produce.mjs', 'sink/sink.yaml'].map((file) => textOf(`docker/${file}`)).join('\n')
    const given = ALL.flatMap(([, service]) => Object.keys(service.environment ?? {})).filter((name) =>
      name.startsWith('KEYSTAMP_')
    )

    expect(given.filter((name) => !readers.includes(name))).toEqual([])
    expect(given).not.toEqual([])
  })
})

describe('the Dockerfile', () => {
  const lines = instructions()

  it('uses a single Node image, of an exact version', () => {
    const images = lines.filter(({ word }) => word === 'FROM').map(({ rest }) => rest.split(' ')[0])
    const stages = new Set(lines.map(({ stage }) => stage))
    const outside = new Set(images.filter((image) => !stages.has(image)))

    expect([...outside]).toEqual([expect.stringMatching(/^node:24\.\d+\.\d+-alpine$/)])
  })

  it.each(FINAL)('starts Node of %s directly, so that Node receives signals, and not as root', (target) => {
    const own = lines.filter(({ stage }) => stage === target)

    expect(own.find(({ word }) => word === 'ENTRYPOINT')?.rest).toMatch(/^\["node", "\/app\//)
    expect(own.find(({ word }) => word === 'HEALTHCHECK')?.rest).toMatch(/CMD \["node", "-e", "fetch\(/)
    expect(own.filter(({ word }) => word === 'USER').map(({ rest }) => rest)).toEqual(['1000'])
    expect(own.filter(({ word }) => word === 'RUN')).toEqual([])
  })

  it.each(FINAL)('starts an existing file for %s', (target) => {
    const entry = lines.find(({ stage, word }) => stage === target && word === 'ENTRYPOINT')!
    const [, file] = JSON.parse(entry.rest) as string[]

    expect(existsSync(pathOf(file.replace('/app/', '')))).toBe(true)
  })

  it('copies the manifests of all workspaces for the installation', () => {
    const { workspaces } = contentOf('package.json') as Manifest
    const copied = lines
      .filter(({ stage, word }) => stage === 'manifests' && word === 'COPY')
      .flatMap(({ rest }) => rest.split(' '))
    const folders = Object.keys((contentOf('package-lock.json') as { packages: object }).packages).filter((name) =>
      /^(packages\/|connector$|test$)/.test(name)
    )

    expect(workspaces).toEqual(['packages/*', 'connector', 'test', 'bench'])
    expect(
      folders.filter((folder) => !folder.includes('node_modules') && !copied.includes(`${folder}/package.json`))
    ).toEqual([])
    expect(folders.length).toBeGreaterThan(6)
  })

  it('copies only files that .dockerignore allows', () => {
    const allowed = textOf('.dockerignore')
      .split('\n')
      // `.dockerignore` excludes the contents of `packages` again
      .filter((line) => line.startsWith('!') && line !== '!packages')
      .map((line) => line.slice(1))
    const sources = lines
      .filter(({ word, rest }) => word === 'COPY' && !rest.startsWith('--from'))
      .flatMap(({ rest }) => rest.split(' ').slice(0, -1))

    expect(sources.filter((source) => !allowed.some((pattern) => isAllowedBy(pattern, source)))).toEqual([])
    expect(sources.length).toBeGreaterThan(12)
  })

  it('installs the clients of Entra and Redis, and the client of Redis in the tested version', () => {
    const { dependencies } = contentOf('docker/peers/package.json') as Manifest
    const locked = (contentOf('docker/peers/package-lock.json') as { packages: Record<string, Manifest> }).packages['']
    const { devDependencies } = contentOf('packages/cosmos/package.json') as Manifest

    expect(locked.dependencies).toEqual(dependencies)
    expect(dependencies['ioredis']).toBe(devDependencies['ioredis'])
    expect(Object.keys(dependencies)).toContain('@azure/identity')
  })
})

describe('the configuration of the two sinks', () => {
  it('is valid; its only warnings are about http between containers', async () => {
    const { sinks, warnings } = await sinkConfig()

    expect(warnings).toEqual(sinks.map(({ name }) => expect.stringContaining(`${name}: cosmos.endpoint is http`)))
  })

  it('names only topics and containers that docker/prepare.mjs creates', async () => {
    const { TOPICS, CONTAINERS, DATABASE } = (await import(pathOf('docker/services.mjs'))) as Services
    const { sinks } = await sinkConfig()

    expect(
      sinks.flatMap(({ kafka }) => kafka.topics as readonly string[]).filter((topic) => !(topic in TOPICS))
    ).toEqual([])
    expect(sinks.map(({ rejects }) => rejects.topic)).toEqual(['rejected', 'rejected'])
    expect(Object.keys(TOPICS)).toContain('rejected')
    expect(sinks.map(({ cosmos }) => cosmos.container)).toEqual(CONTAINERS)
    expect(new Set(sinks.map(({ cosmos }) => cosmos.database))).toEqual(new Set([DATABASE]))
  })

  it('has the HTTP port that the health check of the image and Prometheus use', async () => {
    const { http } = await sinkConfig()
    const env = instructions().find(
      ({ stage, word, rest }) => stage === 'keystamp' && word === 'ENV' && rest.includes('HTTP')
    )
    const { scrape_configs: jobs } = contentOf('docker/prometheus/prometheus.yml') as {
      scrape_configs: { dns_sd_configs: { names: string[]; port: number }[] }[]
    }

    expect(env?.rest).toBe(`KEYSTAMP_SINK_HTTP_HOST=${http?.host} KEYSTAMP_SINK_HTTP_PORT=${http?.port}`)
    expect(jobs.flatMap(({ dns_sd_configs: found }) => found)).toEqual([
      expect.objectContaining({ names: ['sink'], port: http?.port })
    ])
  })
})

describe('the alert rules and the dashboard', () => {
  const metrics = textOf('connector/src/observability/metric-definitions.ts')
  const known = new Set([
    'up',
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    ...[...metrics.matchAll(/^\s*(keystamp_\w+):/gm)].map(([, name]) => name),
    ...[...metrics.matchAll(/name: '(keystamp_\w+)'/g)].flatMap(([, name]) => [
      `${name}_bucket`,
      `${name}_sum`,
      `${name}_count`
    ])
  ])

  it.each(expressions())('name only existing metrics and labels: %s', (expression) => {
    const named = expression.match(/\b(?:up|(?:keystamp|process)_\w+)\b/g) ?? []
    const labels = [...expression.matchAll(/\b(?:by|on) ?\(([^)]*)\)/g)].flatMap(([, list]) => list.split(', '))

    expect(named).not.toEqual([])
    expect(named.filter((name) => !known.has(name))).toEqual([])
    expect(
      labels.filter(
        (label) =>
          !['instance', 'le'].includes(label) && !metrics.includes(`'${label}'`) && !metrics.includes(`{ ${label} }`)
      )
    ).toEqual([])
  })

  it('query the Prometheus of docker-compose.yml', () => {
    const { datasources } = contentOf('docker/grafana/provisioning/datasources/prometheus.yml') as {
      datasources: { uid: string; url: string }[]
    }
    const uids = new Set(
      [...textOf('docker/grafana/dashboards/sink.json').matchAll(/"datasource": \{[^}]*"uid": "(\w+)"/g)].map(
        ([, uid]) => uid
      )
    )

    expect([...uids]).toEqual(datasources.map(({ uid }) => uid))
    expect(new URL(datasources[0].url).hostname in SERVICES).toBe(true)
  })

  it('are mounted so that Grafana finds the dashboard', () => {
    const { providers } = contentOf('docker/grafana/provisioning/dashboards/keystamp.yml') as {
      providers: { options: { path: string } }[]
    }
    const home = String(SERVICES['grafana'].environment?.['GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH'])
    const mounted = SERVICES['grafana'].volumes?.find((volume) => volume.includes(`:${providers[0].options.path}:`))

    expect(existsSync(pathOf(`${mounted?.split(':')[0]}/${home.split('/').at(-1)}`))).toBe(true)
  })
})

interface Services {
  readonly TOPICS: Readonly<Record<string, number>>
  readonly CONTAINERS: readonly string[]
  readonly DATABASE: string
}

function sinkConfig(): ReturnType<typeof readConfig> {
  return readConfig(pathOf('docker/sink/sink.yaml'), { env: {}, readFile: (path) => readFile(path, 'utf8') })
}

function canMeet(service: Service | undefined, name: string, condition: string): boolean {
  if (service === undefined || service.profiles !== undefined) return false
  if (condition === 'service_completed_successfully') return name === 'prepare'
  const hasProbe =
    service.healthcheck !== undefined ||
    instructions().some(({ stage, word }) => stage === service.build?.target && word === 'HEALTHCHECK')
  return condition === 'service_healthy' && hasProbe && service.healthcheck?.disable !== true
}

function isAllowedBy(pattern: string, source: string): boolean {
  const asRegExp = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}(?:/|$)`)
  // if a folder is copied, it is enough that a part of the folder is allowed
  return asRegExp.test(source) || pattern.startsWith(`${source}/`)
}

function expressions(): readonly string[] {
  const { panels } = contentOf('docker/grafana/dashboards/sink.json') as { panels: { targets: { expr: string }[] }[] }
  const { groups } = contentOf('docker/prometheus/rules.yml') as { groups: { rules: { expr: string }[] }[] }
  return [
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr))
  ]
}
