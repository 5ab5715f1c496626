/** A sample, a command line for it, and what its report is about. */
export interface ReportSample {
  readonly title: string
  readonly input: string
  readonly args: readonly string[]
}

const START = Date.UTC(2026, 0, 1)

/** Samples and command lines. Each figure of a report is null for at least one of them. */
export const REPORT_SAMPLES: readonly ReportSample[] = [
  {
    title: 'telemetry with a time field',
    input: linesOf(6000, (index, random) => ({
      id: `r-${index}`,
      deviceId: `device-${Math.floor(random() ** 2 * 900)}`,
      fleetId: `fleet-${Math.floor(random() * 12)}`,
      at: new Date(START + index * 50).toISOString()
    })),
    args: [
      ...['--writes', '3000/s', '--ttl', '6h', '--size', '1KB', '--time', 'at', '--items', '60M'],
      ...['--query', 'deviceId, at=day @ 20/s', '--query', 'fleetId @ 2/s']
    ]
  },
  {
    title: 'a present key, growth and transactions',
    input: linesOf(3000, (index, random) => ({
      id: `o-${index}`,
      tenant: random() < 0.4 ? 'tenant-0' : `tenant-${Math.floor(random() * 300)}`,
      order: `order-${Math.floor(index / 3)}`
    })),
    args: [
      ...['--writes', '800/s', '--growth', '2GB/day', '--ttl', 'never', '--total', '40GB', '--present-key', '/tenant'],
      ...['--transaction', 'order', '--query', 'tenant @ 50/s', '--show-values']
    ]
  },
  {
    title: 'an unknown load and an unknown retention',
    input: linesOf(400, (index) => ({ id: `i-${index}`, kind: index % 3 })),
    args: []
  },
  {
    title: 'a load for which no key is possible',
    input: linesOf(2000, (index) => ({ kind: index % 2, size: index % 3 })),
    args: ['--writes', '90000/s', '--size', '10KB']
  },
  {
    title: 'described fields without a retention',
    input: '',
    args: ['--field', 'deviceId:500', '--field', 'fleetId:20:zipf1.0', '--writes', '2000/s', '--size', '1KB']
  }
]

function linesOf(count: number, make: (index: number, random: () => number) => object): string {
  let state = 42
  const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  return Array.from({ length: count }, (_, index) => `${JSON.stringify(make(index, random))}\n`).join('')
}
