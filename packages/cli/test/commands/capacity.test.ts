import { describe, expect, it, test } from 'vitest'
import { capacity, flat, json, RAISE } from './run-capacity.ts'

describe('keystamp capacity', () => {
  it('prints the usable RU/s after a raise first, and then the figures, the steps of the raise and the assumptions', async () => {
    const { code, stdout, stderr } = await capacity(...RAISE)

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`\
Raising the throughput from 20,000 to 30,000 RU/s costs 50 % more and adds no usable throughput: an
even load can use 20,000 RU/s (67 %), as before.
Better: raise it to 40,000 RU/s first, wait for the splits, and then lower it to 30,000 RU/s: an
even load can then use all of it.

                            now  in one step  in these steps
provisioned RU/s         20,000       30,000          30,000
physical partitions           2            3               4
usable RU/s (even load)  20,000       20,000          30,000
usable share              100 %         67 %           100 %
maximum RU/s of one key  10,000       10,000           7,500
price per month          $1,168       $1,752          $1,752

Reason: Cosmos DB splits only as many physical partitions as the new throughput needs, and then
gives all of them the same RU/s. A physical partition that was not split gets twice the load of a
half, and limits the whole container.

Steps          1. Raise the throughput to 40,000 RU/s, and wait for the splits, which usually take 4
               to 6 hours: the container then has 4 physical partitions.
               2. Lower the throughput to 30,000 RU/s: the container keeps its 4 physical
               partitions.
               After that, the minimum is 400 RU/s. Lowering the throughput does not merge physical
               partitions. Six hours at 40,000 RU/s cost $19.

Assumptions    The load is spread evenly over the hash space: with an uneven key, the load can use
               less of the throughput. All physical partitions of the container have equally large
               parts of the hash space.

Based on       Limits, splits and charges: Microsoft's pages on scaling provisioned throughput,
               service quotas and request units, as of May 2026. Prices: list prices in USD, United
               States, read on 2026-05-01, for 1 region. Nothing was measured on a live account.
`)
  })

  test.each([
    [
      [3, 30_000, 45_000],
      'Raising the throughput from 30,000 to 45,000 RU/s costs 50 % more and reduces the usable throughput: an even load can use 27,000 RU/s (60 %) instead of 30,000 RU/s.'
    ],
    [
      [5, 20_000, 60_000],
      'Raising the throughput from 20,000 to 60,000 RU/s costs 200 % more and makes only a part of it usable: an even load can use 50,000 RU/s (83 %).'
    ],
    [
      [5, 50_000, 100_000],
      'Raising the throughput from 50,000 to 100,000 RU/s costs 100 % more, and an even load can use all of it: every physical partition splits, and the container then has 10 physical partitions.'
    ],
    [
      [5, 5000, 30_000],
      'Raising the throughput from 5,000 to 30,000 RU/s costs 500 % more, and an even load can use all of it: the change takes effect immediately, and the container keeps its 5 physical partitions.'
    ],
    [
      [5, 50_000, 5000],
      'Lowering the throughput from 50,000 to 5,000 RU/s costs 90 % less, and an even load can use all of it: the change takes effect immediately, and the container keeps its 5 physical partitions.'
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
      'The container needs 76 physical partitions and 34,800 RU/s: $2,032 a month, and $869 for storage. The amount of data determines the number of physical partitions.'
    )
    expect(flat(stdout)).toContain(
      'Data 3.02 TB in the steady state: 432 GB a day are written, and the same amount expires'
    )
    expect(stdout).toContain('Load           34,750 RU/s: 5,000/s x 6.95 RU per write\n')
    expect(flat(stdout)).toContain('A document has 10 indexed values (--indexed).')
    expect(flat(stdout)).toContain('Manual is cheaper than autoscale above a mean utilization of 67 %.')
  })

  it('prints that the key does not matter if one partition is enough, unless the data grows', async () => {
    const { stdout } = await capacity('--writes', '20/s', '--ttl', '7d')
    const growing = await capacity('--writes', '20/s', '--gb', '10')

    expect(flat(stdout)).toContain(
      'are enough: $23 a month, and $3.48 for storage. With one physical partition, the key does not matter for the load.'
    )
    expect(flat(growing.stdout)).toContain(
      'are enough today: $23 a month, and $2.88 for storage. In a year, the data will need 17 physical partitions.'
    )
    expect(growing.stdout).toContain('Next split     in 12 to 23 days\n')
    expect(flat(growing.stdout)).not.toContain('does not matter')
  })

  it('prints what the data needs and that the load is unknown if only the amount of data is given', async () => {
    const { stdout } = await capacity('--gb', '800', '--growth', '5GB/day', '--partitions', '20')

    expect(flat(stdout)).toContain(
      '800 GB need 20 physical partitions (18 to 27 in practice), and at least 800 RU/s. The load may need more: give it with --writes.'
    )
    expect(stdout).toContain('Next split     within 40 days\n')
    expect(await json('--gb', '800')).toMatchObject({
      need: {
        load: null,
        throughput: null,
        reason: 'the load is unknown: give it with --writes',
        prices: { manual: null }
      }
    })
  })

  it('prints that the amount of data is unknown if it grows without end', async () => {
    const { stdout } = await capacity('--writes', '10M/day')

    expect(flat(stdout)).toContain(
      'The amount of data is unknown, and counts as 0 GB. It grows by 10 GB a day without limit.'
    )
    expect(stdout).toContain('Data           unknown; 10 GB a day are added\n')
  })

  it('prints the steps by which an existing container gets the needed throughput', async () => {
    const present = ['--partitions', '3', '--from', '30k', '--writes', '5000/s', '--ttl', '1d']
    const { stdout } = await capacity(...present)
    const split = await capacity('--partitions', '3', '--from', '30k', '--writes', '4000/s', '--ttl', '10d')

    expect(flat(stdout)).toContain('Raise the throughput to 60,000 RU/s, and wait for the splits')
    expect(flat(split.stdout)).toContain('Its physical partitions split automatically as the data grows.')
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
      'Nothing to compute. For a change of the RU/s, give --partitions, --from and --to. For the need of data and load, give --gb, or --writes and --size.'
    ],
    [['--partitions', '2'], 'Nothing to compute.'],
    [
      ['--to', '30000'],
      '--to needs --partitions and --from: the current physical partitions and RU/s of the container.'
    ],
    [['--gb', '5', '--from', '400'], '--from needs --partitions: the current physical partitions of the container.'],
    [['--gb', '5', '--highest', '400'], '--highest needs --from.'],
    [['--gb', '5', '--size', '1KB'], '--size needs --writes.'],
    [['--gb', '5', '--indexed', '3'], '--indexed needs --writes.'],
    [['--gb', '5', '--ttl', '7d'], '--ttl needs --writes or --growth: the amount of new data.'],
    [['--writes', '5/s', '--partitions', '2'], '--partitions with --writes needs --from'],
    [['--gb', '5', '--partitions', '0'], '--partitions must be a whole number from 1 to 99,999, not "0".'],
    [
      [...RAISE.slice(0, 4), '--to', 'x'],
      '--to must be a number of RU/s such as 20000 or 20k, not "x": it does not begin with a number.'
    ],
    [
      [...RAISE.slice(0, 4), '--to', '300'],
      '--to cannot be 300 RU/s. A manual throughput is a multiple of 100 RU/s, and at least 400 RU/s.'
    ],
    [
      [...RAISE.slice(0, 4), '--to', '30050'],
      '--to cannot be 30,050 RU/s. A manual throughput is a multiple of 100 RU/s, and at least 400 RU/s.'
    ],
    [
      [...RAISE.slice(0, 4), '--to', '30100', '--autoscale'],
      '--to cannot be 30,100 RU/s. An autoscale maximum is a multiple of 1,000 RU/s, and at least 1,000 RU/s.'
    ],
    [
      ['--partitions', '2', '--from', '30000', '--to', '40000'],
      '--from is 30,000 RU/s, but 2 physical partitions cannot have more than 20,000 RU/s.'
    ],
    [
      [...RAISE, '--highest', '10000'],
      '--highest is below --from, but it is the highest RU/s that the container ever had.'
    ],
    [[...RAISE.slice(0, 4), '--to', '20000'], '--to equals --from: the container already has this throughput.'],
    [
      [...RAISE.slice(0, 4), '--to', '400', '--highest', '90000'],
      '--to is below 900 RU/s, the minimum throughput of a container with a highest throughput of 90,000 RU/s.'
    ],
    [['--gb', '1.3TB', '--partitions', '3'], '--gb is 1.3 TB, but 3 physical partitions cannot hold more than 150 GB.'],
    [
      ['--gb', 'lots'],
      '--gb must be a size such as 1KB, 500GB or 1.5 TiB, not "lots": it does not begin with a number.'
    ],
    [
      ['--writes', '5000'],
      '--writes must be a rate such as 5000/s, 300k/min or 10M/day, not "5000": the time is missing.'
    ],
    [
      ['--writes', '5/s', '--indexed', '1.5'],
      '--indexed must be a whole number such as 2500000 or 2.5M, not "1.5": it has a fraction.'
    ],
    [
      ['--writes', '5/s', '--ttl', '7'],
      '--ttl must be a time such as 7d, 24h or 90 days, not "7": the unit is missing.'
    ],
    [['--gb', '5', '--regions', '0'], '--regions must be a whole number from 1 to 60, not 0.'],
    [['--gb', '5', '--multi-region-writes'], '--multi-region-writes needs regions of at least 2.'],
    [
      ['--gb', '5', '--utilization', '140%'],
      '--utilization must be a percentage up to 100%, such as 40%, not "140%": it is more than 100 %.'
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
