import { expect, it } from 'vitest'
import { describeExplorer } from './describe-explorer.ts'
import { openExplorer } from './open-explorer.ts'

await describeExplorer((explorer) => {
  it('offers the form for a container if there is none, and creates one', async () => {
    await explorer.start({ containers: [] })
    const { page, complaints } = await explorer.open()
    await page.getByLabel('Database').fill('shop')
    await page.getByLabel('Container', { exact: true }).fill('orders')
    await page.getByLabel('Partition key').fill('/tenant,/day')
    await page.getByRole('button', { name: 'Create' }).click()

    await page.waitForURL('**/_explorer#load/shop/orders')
    await page.getByText('Physical partitions').first().waitFor()
    expect(explorer.emulator.report().containers.map(({ container }) => container)).toEqual(['orders'])
    expect(complaints).toEqual([])
    await page.close()
  })

  it('adds a fault, which then applies to requests, and removes it', async () => {
    await explorer.start()
    const { page } = await explorer.open('faults')
    await page.getByText('There are no faults.').waitFor()
    await page.locator('select').first().selectOption('create')
    await page.getByLabel('Status', { exact: true }).fill('449')
    await page.getByLabel('At most').fill('5')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('on: create, count: 5').waitFor()
    const { ask } = await openExplorer(explorer.emulator)
    const create = async () =>
      (await ask('POST', 'data/dbs/d/colls/c/docs', { 'x-ms-documentdb-partitionkey': '["a"]' }, '{"id":"1","pk":"a"}'))
        .status

    expect(explorer.emulator.faults.list().map(({ rule }) => rule)).toEqual([
      { on: 'create', count: 5, action: { kind: 'status', status: 449 } }
    ])
    expect(await create()).toBe(449)
    await expect.poll(() => page.locator('tbody td').nth(3).innerText()).toBe('1')
    await page.getByRole('button', { name: 'Remove fault 1' }).click()
    await page.getByText('There are no faults.').waitFor()
    expect(await create()).toBe(201)
    await page.close()
  })

  it('shows the message of a refused fault', async () => {
    await explorer.start()
    const { page } = await explorer.open('faults')
    await page.getByLabel('Status', { exact: true }).fill('99')
    await page.getByRole('button', { name: 'Add', exact: true }).click()

    await expect
      .poll(() => page.getByRole('status').innerText())
      .toMatch(/^400: The property 'status' of an action must be an HTTP status/)
    await page.close()
  })

  it('turns throttling on and off, keeps its options meanwhile, and advances the clock', async () => {
    await explorer.start({ throttle: { retryAfter: { fixedMs: 20 } } })
    const { page } = await explorer.open('controls')
    const toggle = page.getByRole('switch')
    await expect.poll(() => toggle.isChecked()).toBe(true)
    await toggle.click()
    await page.getByText('Throttling is off: every operation is served.').waitFor()
    expect(explorer.emulator.report().isThrottling).toBe(false)
    await toggle.click()
    await page.getByText('Throttling is on.', { exact: true }).first().waitFor()
    await expect.poll(() => page.getByLabel('Options').inputValue()).toBe('{"retryAfter":{"fixedMs":20}}')

    await page.getByRole('button', { name: 'Advance 1 hour' }).click()
    await page.getByText(/UTC, 1 h ahead of the clock of the machine\.$/).waitFor()
    expect(explorer.emulator.clock.now() - Date.now()).toBeGreaterThan(3_590_000)
    await page.close()
  })
})
