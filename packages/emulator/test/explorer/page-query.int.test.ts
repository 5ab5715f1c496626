import { expect, it } from 'vitest'
import { describeExplorer } from './describe-explorer.ts'

await describeExplorer((explorer) => {
  it('shows the charge, physical partitions, pages and rows of a query', async () => {
    await explorer.start()
    for (const id of ['1', '2', '3', '4', '5']) await explorer.store(`{"id":"${id}","pk":"${id}"}`, `["${id}"]`)
    const { page } = await explorer.open('query/d/c')
    const facts = async (): Promise<string[]> => (await page.locator('.tiles dd').allInnerTexts()).slice(0, 4)

    await page.getByLabel('Query').fill('SELECT VALUE c.id FROM c')
    await page.keyboard.press('Control+Enter')
    await expect.poll(facts).toEqual([expect.stringMatching(/^5\.\d+ RU$/), '2 of 2', '2', '5'])
    await page.getByLabel('Partition key').fill('"3"')
    await page.getByRole('button', { name: 'Run' }).click()
    await expect.poll(facts).toEqual([expect.stringMatching(/^2\.8\d* RU$/), '1 of 2', '1', '1'])
    await page.getByLabel('Partition key').fill('')
    await page.getByLabel('Parameters').fill('{"@id":"4"}')
    await page.getByLabel('Query').fill('SELECT COUNT(1) AS n FROM c WHERE c.id < @id')
    await page.getByRole('button', { name: 'Run' }).click()
    await expect.poll(() => page.locator('.rows summary').allInnerTexts()).toEqual(['{"n":3}'])
    expect(await facts()).toEqual([expect.stringContaining(' RU'), '2 of 2', '1', '1'])
    await page.getByLabel('Query').fill('SELEC 1')
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText(/^400: .*Syntax|^400: /).waitFor()
    await page.close()
  })

  it('reads a query page by page', async () => {
    await explorer.start()
    for (let id = 0; id < 5; id++) await explorer.store(`{"id":"${id}","pk":"a"}`, '["a"]')
    const { page } = await explorer.open('query/d/c')
    await page.getByLabel('Partition key').fill('a')
    await page.getByLabel('Items in a page').fill('2')
    await page.getByRole('button', { name: 'Run' }).click()

    await expect
      .poll(() => page.locator('.tiles dd').allInnerTexts())
      .toEqual([expect.stringContaining('RU'), '1 of 2', '3', '5', expect.any(String)])
    await page.close()
  })
})
