import { describe, expect, it, test } from 'vitest'
import { runCommand } from '../run-command.ts'

const RAISE = ['--partitions', '2', '--from', '20000', '--to', '30000']

describe('keystamp capacity', () => {
  it('prints the usable RU/s after a raise first, and then the figures, the steps of the raise and the assumptions', async () => {
    const { code, stdout, stderr } = await capacity(...RAISE)

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`\
Raising the rate from 20,000 to 30,000 RU/s costs 50 % more and gives no more throughput: 20,000
RU/s can be used (67 %), as before.
Better: raise it to 40,000 RU/s first, wait for the splits, then lower it to 30,000 RU/s: all of it
can then be used.

                                   now  directly  by the path
RU/s                            20,000    30,000       30,000
physical partitions                  2         3            4
RU/s that an even load can use  20,000    20,000       30,000
share of the RU/s                100 %      67 %        100 %
RU/s of one key at most         10,000    10,000        7,500
price a month                   $1,168    $1,752       $1,752

Why: only as many partitions split as the rate needs. A half gets the same RU/s as one that is still
whole, so the whole ones limit the load.

Path           1. Raise it to 40,000 RU/s, and wait for the splits, usually 4 to 6 hours: it then
               has 4 physical partitions.
               2. Lower it to 30,000 RU/s: it keeps its 4 physical partitions.
               The least rate from then on is 400 RU/s. Partitions do not become fewer when the rate
               is lowered. Six hours at 40,000 RU/s cost $19.

Assumed        The load is even over the hash space: a key that is not even can use less of any
               rate. The ranges of the container are equally wide: it had no uneven splits.

Rests on       Limits, splits and charges: Microsoft's pages on scaling provisioned throughput,
               service quotas and request units, as of May 2026. Prices: list prices in USD, United
               States, read on 2026-05-01, for 1 region. Nothing was measured on a live account.
`)
  })

  test.each([
    [
      [3, 30_000, 45_000],
      'Raising the rate from 30,000 to 45,000 RU/s costs 50 % more and gives less throughput: 27,000 RU/s can be used (60 %) instead of 30,000.'
    ],
    [
      [5, 20_000, 60_000],
      'Raising the rate from 20,000 to 60,000 RU/s costs 200 % more and gives only a part of it: 50,000 RU/s can be used (83 %).'
    ],
    [
      [5, 50_000, 100_000],
      'Raising the rate from 50,000 to 100,000 RU/s costs 100 % more, and all of it can be used: every physical partition splits, and there are 10 of them in the end.'
    ],
    [
      [5, 5000, 30_000],
      'Raising the rate from 5,000 to 30,000 RU/s costs 500 % more, and all of it can be used: it takes effect at once, and the 5 physical partitions stay.'
    ],
    [
      [5, 50_000, 5000],
      'Lowering the rate from 50,000 to 5,000 RU/s costs 90 % less, and all of it can be used: it takes effect at once, and the 5 physical partitions stay.'
    ]
  ])(
    'prints price and usable throughput of a change (partitions, RU/s before, RU/s after): %j',
    async ([partitions, from, to], verdict) => {
      const { stdout } = await capacity('--partitions', `${partitions}`, '--from', `${from}`, '--to', `${to}`)

      expect(flat(stdout)).toContain(verdict)
    }
  )

  it('computes prices for several regions and for autoscale', async () => {
    const args = [...RAISE, '--autoscale', '--regions', '2', '--json']

    expect(await json(...args)).toMatchObject({
      mode: 'autoscale',
      raise: { prices: { before: 3504, direct: 5256, better: 5256 }, leastRuPerSecond: 4000 },
      basis: expect.arrayContaining([expect.stringContaining('for 2 regions.')]) as unknown
    })
    expect(await json(...args, '--multi-region-writes')).toMatchObject({ raise: { prices: { before: 4672 } } })
  })

  it('prints the partitions and the throughput that data and load need', async () => {
    const { stdout } = await capacity('--writes', '5000/s', '--size', '1KB', '--ttl', '7d')

    expect(flat(stdout)).toContain(
      '76 physical partitions and 34,800 RU/s are needed: $2,032 a month, and $869 for storage. The data decides the number of partitions.'
    )
    expect(stdout).toContain('Data           3.02 TB in the steady state; 432 GB a day come in and expire\n')
    expect(stdout).toContain('Load           34,750 RU/s: 5,000/s x 6.95 RU\n')
    expect(flat(stdout)).toContain('A document has 10 indexed values (--indexed).')
    expect(flat(stdout)).toContain('Manual is cheaper than autoscale above 67 % mean utilization.')
  })

  it('prints that the key does not matter if one partition is enough, unless the data grows', async () => {
    const { stdout } = await capacity('--writes', '20/s', '--ttl', '7d')
    const growing = await capacity('--writes', '20/s', '--gb', '10')

    expect(flat(stdout)).toContain(
      'are enough: $23 a month, and $3.48 for storage. The key then does not matter for the load.'
    )
    expect(flat(growing.stdout)).toContain(
      'are enough today: $23 a month, and $2.88 for storage. In a year the data needs 17.'
    )
    expect(growing.stdout).toContain('Next split     in 12 to 23 days\n')
    expect(flat(growing.stdout)).not.toContain('does not matter')
  })

  it('prints what the data needs and that the load is unknown if only the amount of data is given', async () => {
    const { stdout } = await capacity('--gb', '800', '--growth', '5GB/day', '--partitions', '20')

    expect(flat(stdout)).toContain(
      '800 GB need 20 physical partitions (18 to 27 in practice), and a rate of at least 800 RU/s; how much more the load needs is unknown.'
    )
    expect(stdout).toContain('Next split     within 40 days\n')
    expect(await json('--gb', '800')).toMatchObject({
      need: { load: null, throughput: null, reason: 'the load is unknown; --writes says it', prices: { manual: null } }
    })
  })

  it('prints that the amount of data is unknown if it grows without end', async () => {
    const { stdout } = await capacity('--writes', '10M/day')

    expect(flat(stdout)).toContain(
      'The amount of data is unknown, and counts as nothing: it grows by 10 GB a day without end.'
    )
    expect(stdout).toContain('Data           unknown; 10 GB a day come in\n')
  })

  it('prints the steps by which an existing container gets the needed throughput', async () => {
    const present = ['--partitions', '3', '--from', '30k', '--writes', '5000/s', '--ttl', '1d']
    const { stdout } = await capacity(...present)
    const split = await capacity('--partitions', '3', '--from', '30k', '--writes', '4000/s', '--ttl', '10d')

    expect(flat(stdout)).toContain('Raise it to 60,000 RU/s, and wait for the splits')
    expect(flat(split.stdout)).toContain('Its partitions split by themselves as the data grows.')
    expect(await json(...present)).toMatchObject({
      need: { throughput: { partitions: 12, decidedBy: 'storage', ruPerSecond: 34_800 } }
    })
  })

  it('uses the mean load for the prices of autoscale and serverless, and for the growth of the data', async () => {
    const args = ['--writes', '5000/s', '--ttl', '7d', '--json']
    const full = await json(...args)
    const half = await json(...args, '--utilization', '50%')

    expect(full).toMatchObject({ need: { storage: { gb: 3024 }, prices: { serverless: 22_830.75 } } })
    expect(half).toMatchObject({ need: { storage: { gb: 1512 }, prices: { serverless: 11_415.375 } } })
  })

  test.each<[string[], string]>([
    [
      [],
      'Say what to compute: a raise with --partitions, --from and --to; or what data and load need, with --gb, or --writes and --size.'
    ],
    [['--partitions', '2'], 'Say what to compute'],
    [
      ['--to', '30000'],
      '--to needs --partitions and --from: the physical partitions and the rate of the container now.'
    ],
    [['--gb', '5', '--from', '400'], '--from needs --partitions: the physical partitions of the container now.'],
    [['--gb', '5', '--highest', '400'], '--highest needs --from.'],
    [['--gb', '5', '--size', '1KB'], '--size needs --writes.'],
    [['--gb', '5', '--indexed', '3'], '--indexed needs --writes.'],
    [['--gb', '5', '--ttl', '7d'], '--ttl needs --writes or --growth: how much data comes in.'],
    [['--writes', '5/s', '--partitions', '2'], '--partitions with --writes needs --from'],
    [['--gb', '5', '--partitions', '0'], '--partitions must be a whole number from 1 to 99,999, not "0".'],
    [
      [...RAISE.slice(0, 4), '--to', 'x'],
      '--to must be a number of RU/s such as 20000 or 20k, not "x": it does not begin with a number.'
    ],
    [
      [...RAISE.slice(0, 4), '--to', '300'],
      '--to cannot be 300 RU/s. A manual rate is a multiple of 100, from 400 RU/s.'
    ],
    [
      [...RAISE.slice(0, 4), '--to', '30050'],
      '--to cannot be 30,050 RU/s. A manual rate is a multiple of 100, from 400 RU/s.'
    ],
    [
      [...RAISE.slice(0, 4), '--to', '30100', '--autoscale'],
      '--to cannot be 30,100 RU/s. An autoscale maximum is a multiple of 1,000, from 1,000 RU/s.'
    ],
    [
      ['--partitions', '2', '--from', '30000', '--to', '40000'],
      '--from is 30,000 RU/s, but 2 physical partitions cannot have more than 20,000 RU/s.'
    ],
    [
      [...RAISE, '--highest', '10000'],
      '--highest is below --from: it is the highest rate that the container ever had.'
    ],
    [[...RAISE.slice(0, 4), '--to', '20000'], '--to is the rate that the container has already.'],
    [
      [...RAISE.slice(0, 4), '--to', '400', '--highest', '90000'],
      '--to is below 900 RU/s, the least rate of a container with a highest rate of 90,000 RU/s.'
    ],
    [['--gb', '1.3TB', '--partitions', '3'], '--gb is 1.3 TB, but 3 physical partitions cannot hold more than 150 GB.'],
    [
      ['--gb', 'lots'],
      '--gb must be a size such as 1KB, 500GB or 1.5 TiB, not "lots": it does not begin with a number.'
    ],
    [['--writes', '5000'], '--writes must be a rate such as 5000/s, 300k/min or 10M/day, not "5000": it says no time.'],
    [
      ['--writes', '5/s', '--indexed', '1.5'],
      '--indexed must be a whole number such as 2500000 or 2.5M, not "1.5": it has a fraction.'
    ],
    [['--writes', '5/s', '--ttl', '7'], '--ttl must be a time such as 7d, 24h or 90 days, not "7": it says no unit.'],
    [['--gb', '5', '--regions', '0'], '--regions must be a whole number from 1 to 60, not 0.'],
    [['--gb', '5', '--multi-region-writes'], '--multi-region-writes needs regions of at least 2.'],
    [
      ['--gb', '5', '--utilization', '140%'],
      '--utilization must be a percentage up to 100%, such as 40%, not "140%": it is above 100 %.'
    ],
    [
      ['--gb', '90', '--writes', '1/s', '--ttl', '1d'],
      '--gb contradicts ttl: 1/s of 1 KB fill at most 86.4 MB in 1 day.'
    ]
  ])('refuses %j with a sentence', async (args, sentence) => {
    const { code, stdout, stderr } = await capacity(...args)

    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`keystamp: ${sentence}`) as unknown
    })
  })

  it('prints all mistakes, each on its own line', async () => {
    const { stderr } = await capacity('--partitions', '0', '--to', 'x', '--growth', 'much')

    expect(stderr.split('\n').map((line) => line.slice(0, 24))).toEqual([
      'keystamp: --to needs --p',
      'keystamp: --partitions m',
      'keystamp: --to must be a',
      'keystamp: --growth must ',
      ''
    ])
  })
})

describe('the text of keystamp capacity', () => {
  const args = [
    '--writes',
    '5000/s',
    '--ttl',
    '7d',
    '--gb',
    '40',
    '--partitions',
    '1',
    '--from',
    '9000',
    '--to',
    '15000'
  ]

  test.each([
    [60, 60],
    [80, 80],
    [120, 100],
    [undefined, 100]
  ])('with a terminal of %s columns has lines of at most %i characters', async (outputColumns, most) => {
    const { stdout } = await runCommand(['capacity', ...args], outputColumns === undefined ? {} : { outputColumns })

    const widths = withoutColors(stdout)
      .split('\n')
      .map((line) => line.length)
    expect(Math.max(...widths)).toBeLessThanOrEqual(Math.max(most, 67))
    expect(Math.max(...widths)).toBeGreaterThan(most - 12)
  })

  it('has colors only on a terminal, and only if they are not switched off', async () => {
    const onTerminal = await runCommand(['capacity', ...RAISE], { outputColumns: 100 })
    const without = await runCommand(['capacity', ...RAISE], { outputColumns: 100, env: { NO_COLOR: '1' } })
    const inPipe = await capacity(...RAISE)

    expect(onTerminal.stdout).toContain('\u001b[1mRaising')
    expect(without.stdout).toBe(inPipe.stdout)
    expect(withoutColors(onTerminal.stdout)).toBe(inPipe.stdout)
  })
})

async function capacity(...args: readonly string[]): ReturnType<typeof runCommand> {
  return await runCommand(['capacity', ...args])
}

async function json(...args: readonly string[]): Promise<unknown> {
  const { stdout } = await capacity(...args.filter((arg) => arg !== '--json'), '--json')
  return JSON.parse(stdout)
}

/** The words of wrapped text in one line. */
function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

function withoutColors(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\u001b\[\d+m/g, '')
}
