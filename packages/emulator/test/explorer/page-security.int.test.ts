import { expect, it } from 'vitest'
import { describeExplorer, VIEWS } from './describe-explorer.ts'

await describeExplorer((explorer) => {
  it('opens with the first container, without an error on the console or a request to another host', async () => {
    await explorer.start()
    await explorer.store('{"id":"1","pk":"a"}', '["a"]')
    const { page, complaints } = await explorer.open()
    await page.waitForURL('**/_explorer#load/d/c')
    for (const view of VIEWS) {
      await page.goto(`${explorer.emulator.explorer}#${view}`)
      await page.locator('main h2').waitFor()
      await page.waitForTimeout(100)
    }

    expect(complaints).toEqual([])
    await page.close()
  })

  it.each([
    ['the end of a script', '</script><img src=x onerror="window.hit=1">', false],
    ['markup', '<b onmouseover="window.hit=1">&lt;</b>', false],
    ['text from right to left', '\u202E\u05E9\u05DC\u05D5\u05DD\u202C', false],
    ['an own property __proto__', '__proto__', true],
    ['one megabyte', 'x'.repeat(1_000_000), false]
  ])('shows a document with %s as text', async (_title, hostile, isName) => {
    await explorer.start()
    const document = isName
      ? `{"id":"1","pk":"a","${hostile}":{"polluted":12345678901234567890}}`
      : JSON.stringify({
          id: hostile.length < 100 ? hostile.replaceAll(/[/?#\\]/g, '-') : '1',
          pk: 'a',
          text: hostile
        })
    await explorer.store(document, '["a"]')
    const { page, complaints } = await explorer.open('items/d/c')
    await page.locator('tbody button').click()
    const shown = JSON.parse(await page.getByLabel('Document').inputValue()) as unknown

    expect(JSON.stringify(shown)).toBe(JSON.stringify(JSON.parse(document)))
    await page.goto(`${explorer.emulator.explorer}#query/d/c`)
    await page.getByRole('button', { name: 'Run' }).click()
    await page.locator('.rows summary').click()
    await expect
      .poll(async () => (await page.locator('.rows pre').textContent())?.length ?? 0)
      .toBeGreaterThan(document.length)
    const row = JSON.parse((await page.locator('.rows pre').textContent())!) as Record<string, unknown>
    expect(JSON.stringify(row)).toContain(JSON.stringify(JSON.parse(document)).slice(1, -1))
    expect(await page.evaluate('[window.hit, ({}).polluted, document.images.length]')).toEqual([
      undefined,
      undefined,
      0
    ])
    expect(complaints).toEqual([])
    await page.close()
  })

  it('works over https', async () => {
    await explorer.start({ https: true })
    const context = await explorer.browser.newContext({ ignoreHTTPSErrors: true })
    const page = await context.newPage()
    await page.goto(`${explorer.emulator.explorer}#faults`)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('on: write').waitFor()

    expect(explorer.emulator.explorer).toMatch(/^https:/)
    expect(explorer.emulator.faults.list()).toHaveLength(1)
    await context.close()
  })

  it('asks for the control token where one is required, and takes it from its address', async () => {
    await explorer.start({ controlToken: 'secret 7' })
    const page = await explorer.browser.newPage()
    await page.goto(`${explorer.emulator.endpoint}_explorer`)
    await page.getByLabel('Control token').fill('wrong')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByLabel('Control token').fill('secret 7')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.locator('main h2').waitFor()
    await page.close()

    const other = await explorer.browser.newPage()
    await other.goto(explorer.emulator.explorer)
    await other.locator('main h2').waitFor()
    expect(other.url()).not.toContain('secret')
    await other.close()
  })
})
