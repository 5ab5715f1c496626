import { CONTROLS, FOCUSED, IS_TOO_WIDE, LOW_CONTRAST, UNNAMED } from '@keystamp/testkit'
import { expect, it } from 'vitest'
import { describeExplorer, VIEWS } from './describe-explorer.ts'

await describeExplorer((explorer) => {
  it.each(['light', 'dark'] as const)('is readable in %s colors, and every control has a name', async (colorScheme) => {
    await explorer.start({ throttle: true })
    await explorer.store('{"id":"1","pk":"a"}', '["a"]')
    explorer.emulator.faults.inject({ on: 'changeFeed', action: { kind: 'reset' } })
    for (const view of VIEWS) {
      const { page } = await explorer.open(view, { colorScheme })
      await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
      if (view.startsWith('items')) await page.getByRole('button', { name: '1', exact: true }).click()
      if (view.startsWith('query')) await page.getByRole('button', { name: 'Run' }).click()
      await page.waitForTimeout(300)

      expect([view, await page.evaluate(LOW_CONTRAST)]).toEqual([view, []])
      expect([view, await page.evaluate(UNNAMED)]).toEqual([view, []])
      await page.close()
    }
  })

  it.each([1280, 390])('fits into a window of %d pixels', async (width) => {
    await explorer.start()
    await explorer.store(`{"id":"${'long-id-'.repeat(30)}","pk":"${'k'.repeat(300)}"}`, `["${'k'.repeat(300)}"]`)
    for (const view of VIEWS) {
      const { page } = await explorer.open(view, { width })
      await page.waitForTimeout(200)

      expect([view, await page.evaluate(IS_TOO_WIDE)]).toEqual([view, false])
      await page.close()
    }
  })

  it.each(VIEWS)('lets the keyboard reach every control of the view %s', async (view) => {
    await explorer.start()
    await explorer.store('{"id":"1","pk":"a"}', '["a"]')
    const { page } = await explorer.open(view)
    await page.waitForTimeout(300)
    const total = Number(await page.evaluate(CONTROLS))
    const reached = new Set<unknown>()
    for (let press = 0; press < total; press++) {
      await page.keyboard.press('Tab')
      reached.add(await page.evaluate(FOCUSED))
    }
    reached.delete(null)

    expect(total).toBeGreaterThan(6)
    expect(reached.size).toBe(total)
    await page.close()
  })

  it('keeps the focus on links and buttons while the numbers next to them change', async () => {
    await explorer.start()
    explorer.emulator.faults.inject({ on: 'create', count: 0, action: { kind: 'reset' } })
    const { page } = await explorer.open('faults')
    const link = page.getByRole('link', { name: /^c\b/ })
    const button = page.getByRole('button', { name: 'Remove fault 1' })
    const isFocused = (): Promise<unknown> => page.evaluate('document.activeElement.textContent')
    await link.focus()
    await explorer.store('{"id":"1","pk":"a"}', '["a"]')
    await expect.poll(() => link.innerText()).toMatch(/^c\s*1$/)
    expect(await isFocused()).toBe('c1')

    await button.focus()
    await explorer.store('{"id":"2","pk":"a"}', '["a"]')
    await expect.poll(() => page.locator('tbody td').nth(2).innerText()).toBe('2')
    expect(await isFocused()).toBe('Remove')
    await page.close()
  })
})
