import { expect, it } from 'vitest'
import { describeExplorer } from './describe-explorer.ts'
import { openExplorer, send } from './open-explorer.ts'

await describeExplorer((explorer) => {
  it('creates, finds, replaces and deletes an item, and does not overwrite the change of another client', async () => {
    await explorer.start()
    const { page } = await explorer.open('items/d/c')
    const document = page.getByLabel('Document')
    const stored = () =>
      send(explorer.emulator, 'GET', '/_control/operations').then(({ text }) =>
        (JSON.parse(text) as { operation: string }[]).map(({ operation }) => operation)
      )
    await page.getByRole('button', { name: 'New item' }).click()
    await document.fill('{"id":"ü 1","pk":"a","n":12345678901234567890}')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText(/^Created: .* RU\.$/).waitFor()
    await document.fill('{"id":"ü 1","pk":"a","n":2}')
    await page.getByRole('button', { name: 'Replace' }).click()
    await page.getByText(/^Replaced: .* RU\.$/).waitFor()

    await page.getByLabel('Partition key').fill('a')
    await page.getByLabel('Id', { exact: true }).fill('ü 1')
    await page.getByRole('button', { name: 'Find' }).click()
    await page.getByText(/^1 item, page 1: .* RU, 1 physical partition\.$/).waitFor()
    const { ask } = await openExplorer(explorer.emulator)
    await ask(
      'PUT',
      `data/dbs/d/colls/c/docs/${encodeURIComponent('ü 1')}`,
      { 'x-ms-documentdb-partitionkey': '["a"]' },
      '{"id":"ü 1","pk":"a","n":3}'
    )
    await page.getByRole('button', { name: 'Replace' }).click()
    await page.getByText(/^412: The item was changed/).waitFor()
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByText(/^Read: /).waitFor()
    expect(await document.inputValue()).toContain('"n": 3')

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Press again to delete' }).click()
    await page.getByText(/^Deleted: /).waitFor()
    expect(await stored()).toEqual(['Create', 'Replace', 'Replace', 'Delete'])
    await page.close()
  })

  it('sends a request again that was refused with 429, after the time that the answer names', async () => {
    await explorer.start()
    await explorer.store('{"id":"1","pk":"a"}', '["a"]')
    const refused = { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: 50 } as const
    explorer.emulator.faults.inject({ on: 'feed', count: 2, action: refused })
    explorer.emulator.faults.inject({ on: 'query', count: 100, action: refused })
    const { page } = await explorer.open('items/d/c')
    await page.getByText(/^1 item, page 1: .* 2 physical partitions, after 2 retries\.$/).waitFor()
    await page.goto(`${explorer.emulator.explorer}#query/d/c`)
    await page.getByRole('button', { name: 'Run' }).click()

    await expect.poll(() => page.getByRole('status').innerText()).toMatch(/^429\/3200: /)
    expect(explorer.emulator.faults.list().map(({ applied }) => applied)).toEqual([2, 10])
    await page.close()
  })

  it('turns the pages of items forward and back', async () => {
    await explorer.start({ ranges: 3 })
    for (let id = 0; id < 30; id++) await explorer.store(`{"id":"${id}","pk":"${id}"}`, `["${id}"]`)
    const { page } = await explorer.open('items/d/c')
    const ids = () => page.locator('tbody th').allInnerTexts()
    await expect.poll(ids).toHaveLength(25)
    const first = await ids()
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect.poll(ids).toHaveLength(5)
    expect(new Set([...first, ...(await ids())]).size).toBe(30)
    await page.getByRole('button', { name: 'Previous page' }).click()
    await expect.poll(ids).toEqual(first)
    await page.close()
  })
})
