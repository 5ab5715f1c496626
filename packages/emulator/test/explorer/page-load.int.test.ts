import { startEmulator } from '@keystamp/emulator'
import { DRAW_MS, pixelsOf } from '@keystamp/testkit'
import { expect, it } from 'vitest'
import { describeExplorer } from './describe-explorer.ts'
import { openExplorer } from './open-explorer.ts'

await describeExplorer((explorer) => {
  it('chooses a physical partition with the arrow keys, and splits and merges it', async () => {
    await explorer.start()
    const { page } = await explorer.open('load/d/c')
    await page.locator('canvas').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.getByText(/^Physical partition 1, /).waitFor()
    await page.getByRole('button', { name: 'Split 1', exact: true }).first().click()
    await page.getByText('the split is complete, new: 2 and 3.').waitFor()
    await page.locator('canvas').focus()
    await page.keyboard.press('Home')
    await page.getByRole('button', { name: 'Merge 0 with its neighbor' }).click()
    await page.getByText('the merge is complete, new: 4.').waitFor()

    expect(explorer.emulator.report().containers[0].ranges.map(({ id }) => id)).toEqual(['4', '3'])
    await page.close()
  })

  it('draws a throttled physical partition in red and outlines it, and has the same in its table', async () => {
    await explorer.start({ throttle: true, ruPerSecond: 400 })
    const { page } = await explorer.open('load/d/c')
    const { ask } = await openExplorer(explorer.emulator)
    expect(await page.evaluate(pixelsOf('--level-5'))).toBe(0)
    const headers = { 'x-ms-documentdb-partitionkey': '["a"]', 'x-ms-documentdb-is-upsert': 'True' }
    const statuses = new Set<number>()
    for (let write = 0; write < 120; write++)
      statuses.add((await ask('POST', 'data/dbs/d/colls/c/docs', headers, `{"id":"${write % 9}","pk":"a"}`)).status)
    await page.getByText('Table', { exact: true }).click()

    expect(statuses).toContain(429)
    await expect.poll(() => page.evaluate(pixelsOf('--level-5'))).toBeGreaterThan(100)
    await expect.poll(() => page.evaluate(pixelsOf('--outline'))).toBeGreaterThan(100)
    const refused = await page.locator('tbody tr td:nth-child(10)').allInnerTexts()
    expect(refused.map(Number).toSorted((a, b) => a - b)).toEqual([0, expect.any(Number)])
    expect(Math.max(...refused.map(Number))).toBeGreaterThan(0)
    await page.close()
  })

  it('paints 1,000 physical partitions in under 100 ms', async () => {
    await explorer.start({ ranges: 1000, ruPerSecond: 1_000_000 })
    const { ask } = await openExplorer(explorer.emulator)
    const headers = { 'x-ms-documentdb-is-upsert': 'True' }
    await Promise.all(
      Array.from({ length: 300 }, (_, at) =>
        ask(
          'POST',
          'data/dbs/d/colls/c/docs',
          { ...headers, 'x-ms-documentdb-partitionkey': `["${at}"]` },
          `{"id":"1","pk":"${at}"}`
        )
      )
    )
    const { page, complaints } = await explorer.open('load/d/c')
    const times: number[] = []
    for (let second = 0; second < 4; second++) {
      await page.waitForTimeout(1000)
      times.push(Number(await page.evaluate(DRAW_MS)))
    }

    console.log(`explorer: 1,000 physical partitions painted in ${Math.min(...times).toFixed(1)} ms (least of four)`)
    expect(await page.locator('.tiles dd').nth(8).innerText()).toBe('1,000')
    expect(Math.min(...times)).toBeLessThan(100)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('says that the emulator does not answer, and after another start that the page must be loaded again', async () => {
    await explorer.start()
    const port = Number(new URL(explorer.emulator.endpoint).port)
    const { page } = await explorer.open('load/d/c')
    await explorer.emulator.stop()
    await page.getByText('The emulator did not answer').waitFor()
    explorer.emulator = await startEmulator({ port, containers: ['d/c:/pk'] })
    await expect
      .poll(() => page.getByRole('alert').innerText())
      .toBe('401: The page belongs to an earlier start of the emulator: load it again.')
    await page.close()
  })

  it('asks for nothing while it is hidden', async () => {
    await explorer.start()
    const { page } = await explorer.open('load/d/c')
    let requests = 0
    page.on('request', () => (requests += 1))
    await page.evaluate(
      "Object.defineProperty(document, 'hidden', { get: () => true }); document.dispatchEvent(new Event('visibilitychange'))"
    )
    await page.waitForTimeout(200)
    requests = 0
    await page.waitForTimeout(2500)

    expect(requests).toBe(0)
    await page.close()
  })
})
