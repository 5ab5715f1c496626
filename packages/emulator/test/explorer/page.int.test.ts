import { type Emulator, startEmulator } from '@keystamp/emulator'
import { type BrowserHandle, startBrowser } from '@keystamp/testkit'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { openExplorer, send } from './open-explorer.ts'
import { CONTROLS, DRAW_MS, FOCUSED, IS_TOO_WIDE, LOW_CONTRAST, pixelsOf, UNNAMED } from './page-probes.ts'

const started = await startBrowser()
const VIEWS = ['load/d/c', 'items/d/c', 'query/d/c', 'faults', 'controls', 'new'] as const

describe.skipIf('missing' in started)(
  `the explorer in a browser ${'missing' in started ? `(skipped: ${started.missing})` : ''}`,
  () => {
    const { browser, stop } = started as BrowserHandle
    let emulator: Emulator

    afterEach(() => emulator.stop())
    afterAll(() => stop())

    /** Starts an emulator with one container. */
    async function start(options: Parameters<typeof startEmulator>[0] = {}): Promise<void> {
      emulator = await startEmulator({ ranges: 2, containers: ['d/c:/pk'], ...options })
    }

    /** Opens a view, and gathers errors and requests that a user would not want. */
    async function open(
      view = '',
      { colorScheme = 'light', width = 1280 }: { colorScheme?: 'light' | 'dark'; width?: number } = {}
    ) {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } })
      const complaints: string[] = []
      page.on('console', (message) => complaints.push(message.text()))
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('request', (request) => {
        if (!request.url().startsWith(emulator.endpoint) && !request.url().startsWith('data:'))
          complaints.push(request.url())
      })
      await page.goto(`${emulator.explorer}${view === '' ? '' : `#${view}`}`)
      await page.locator('main h2').waitFor()
      return { page, complaints }
    }

    /** Stores a document as another client does. */
    async function store(document: string, key: string): Promise<void> {
      const { ask } = await openExplorer(emulator)
      const headers = { 'x-ms-documentdb-partitionkey': key }
      const { status, text } = await ask('POST', 'data/dbs/d/colls/c/docs', headers, document)
      expect([status, text]).toEqual([201, text])
    }

    it('opens with the first container, without an error on the console or a request to another host', async () => {
      await start()
      await store('{"id":"1","pk":"a"}', '["a"]')
      const { page, complaints } = await open()
      await page.waitForURL('**/_explorer#load/d/c')
      for (const view of VIEWS) {
        await page.goto(`${emulator.explorer}#${view}`)
        await page.locator('main h2').waitFor()
        await page.waitForTimeout(100)
      }

      expect(complaints).toEqual([])
      await page.close()
    })

    it('offers the form for a container if there is none, and creates one', async () => {
      await start({ containers: [] })
      const { page, complaints } = await open()
      await page.getByLabel('Database').fill('shop')
      await page.getByLabel('Container', { exact: true }).fill('orders')
      await page.getByLabel('Partition key').fill('/tenant,/day')
      await page.getByRole('button', { name: 'Create' }).click()

      await page.waitForURL('**/_explorer#load/shop/orders')
      await page.getByText('Physical partitions').first().waitFor()
      expect(emulator.report().containers.map(({ container }) => container)).toEqual(['orders'])
      expect(complaints).toEqual([])
      await page.close()
    })

    it.each(['light', 'dark'] as const)(
      'is readable in %s colors, and every control has a name',
      async (colorScheme) => {
        await start({ throttle: true })
        await store('{"id":"1","pk":"a"}', '["a"]')
        emulator.faults.inject({ on: 'changeFeed', action: { kind: 'reset' } })
        for (const view of VIEWS) {
          const { page } = await open(view, { colorScheme })
          await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
          if (view.startsWith('items')) await page.getByRole('button', { name: '1', exact: true }).click()
          if (view.startsWith('query')) await page.getByRole('button', { name: 'Run' }).click()
          await page.waitForTimeout(300)

          expect([view, await page.evaluate(LOW_CONTRAST)]).toEqual([view, []])
          expect([view, await page.evaluate(UNNAMED)]).toEqual([view, []])
          await page.close()
        }
      }
    )

    it.each([1280, 390])('fits into a window of %d pixels', async (width) => {
      await start()
      await store(`{"id":"${'long-id-'.repeat(30)}","pk":"${'k'.repeat(300)}"}`, `["${'k'.repeat(300)}"]`)
      for (const view of VIEWS) {
        const { page } = await open(view, { width })
        await page.waitForTimeout(200)

        expect([view, await page.evaluate(IS_TOO_WIDE)]).toEqual([view, false])
        await page.close()
      }
    })

    it.each(VIEWS)('lets the keyboard reach every control of the view %s', async (view) => {
      await start()
      await store('{"id":"1","pk":"a"}', '["a"]')
      const { page } = await open(view)
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
      await start()
      emulator.faults.inject({ on: 'create', count: 0, action: { kind: 'reset' } })
      const { page } = await open('faults')
      const link = page.getByRole('link', { name: /^c\b/ })
      const button = page.getByRole('button', { name: 'Remove fault 1' })
      const isFocused = (): Promise<unknown> => page.evaluate('document.activeElement.textContent')
      await link.focus()
      await store('{"id":"1","pk":"a"}', '["a"]')
      await expect.poll(() => link.innerText()).toMatch(/^c\s*1$/)
      expect(await isFocused()).toBe('c1')

      await button.focus()
      await store('{"id":"2","pk":"a"}', '["a"]')
      await expect.poll(() => page.locator('tbody td').nth(2).innerText()).toBe('2')
      expect(await isFocused()).toBe('Remove')
      await page.close()
    })

    it('chooses a physical partition with the arrow keys, and splits and merges it', async () => {
      await start()
      const { page } = await open('load/d/c')
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

      expect(emulator.report().containers[0].ranges.map(({ id }) => id)).toEqual(['4', '3'])
      await page.close()
    })

    it('draws a throttled physical partition in red and outlines it, and has the same in its table', async () => {
      await start({ throttle: true, ruPerSecond: 400 })
      const { page } = await open('load/d/c')
      const { ask } = await openExplorer(emulator)
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
      await start({ ranges: 1000, ruPerSecond: 1_000_000 })
      const { ask } = await openExplorer(emulator)
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
      const { page, complaints } = await open('load/d/c')
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

    it('shows the charge, physical partitions, pages and rows of a query', async () => {
      await start()
      for (const id of ['1', '2', '3', '4', '5']) await store(`{"id":"${id}","pk":"${id}"}`, `["${id}"]`)
      const { page } = await open('query/d/c')
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
      await start()
      for (let id = 0; id < 5; id++) await store(`{"id":"${id}","pk":"a"}`, '["a"]')
      const { page } = await open('query/d/c')
      await page.getByLabel('Partition key').fill('a')
      await page.getByLabel('Items in a page').fill('2')
      await page.getByRole('button', { name: 'Run' }).click()

      await expect
        .poll(() => page.locator('.tiles dd').allInnerTexts())
        .toEqual([expect.stringContaining('RU'), '1 of 2', '3', '5', expect.any(String)])
      await page.close()
    })

    it('creates, finds, replaces and deletes an item, and does not overwrite the change of another client', async () => {
      await start()
      const { page } = await open('items/d/c')
      const document = page.getByLabel('Document')
      const stored = () =>
        send(emulator, 'GET', '/_control/operations').then(({ text }) =>
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
      const { ask } = await openExplorer(emulator)
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
      await start()
      await store('{"id":"1","pk":"a"}', '["a"]')
      const refused = { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: 50 } as const
      emulator.faults.inject({ on: 'feed', count: 2, action: refused })
      emulator.faults.inject({ on: 'query', count: 100, action: refused })
      const { page } = await open('items/d/c')
      await page.getByText(/^1 item, page 1: .* 2 physical partitions, after 2 retries\.$/).waitFor()
      await page.goto(`${emulator.explorer}#query/d/c`)
      await page.getByRole('button', { name: 'Run' }).click()

      await expect.poll(() => page.getByRole('status').innerText()).toMatch(/^429\/3200: /)
      expect(emulator.faults.list().map(({ applied }) => applied)).toEqual([2, 10])
      await page.close()
    })

    it('turns the pages of items forward and back', async () => {
      await start({ ranges: 3 })
      for (let id = 0; id < 30; id++) await store(`{"id":"${id}","pk":"${id}"}`, `["${id}"]`)
      const { page } = await open('items/d/c')
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

    it.each([
      ['the end of a script', '</script><img src=x onerror="window.hit=1">', false],
      ['markup', '<b onmouseover="window.hit=1">&lt;</b>', false],
      ['text from right to left', '\u202E\u05E9\u05DC\u05D5\u05DD\u202C', false],
      ['an own property __proto__', '__proto__', true],
      ['one megabyte', 'x'.repeat(1_000_000), false]
    ])('shows a document with %s as text', async (_title, hostile, isName) => {
      await start()
      const document = isName
        ? `{"id":"1","pk":"a","${hostile}":{"polluted":12345678901234567890}}`
        : JSON.stringify({
            id: hostile.length < 100 ? hostile.replaceAll(/[/?#\\]/g, '-') : '1',
            pk: 'a',
            text: hostile
          })
      await store(document, '["a"]')
      const { page, complaints } = await open('items/d/c')
      await page.locator('tbody button').click()
      const shown = JSON.parse(await page.getByLabel('Document').inputValue()) as unknown

      expect(JSON.stringify(shown)).toBe(JSON.stringify(JSON.parse(document)))
      await page.goto(`${emulator.explorer}#query/d/c`)
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

    it('adds a fault, which then applies to requests, and removes it', async () => {
      await start()
      const { page } = await open('faults')
      await page.getByText('There are no faults.').waitFor()
      await page.locator('select').first().selectOption('create')
      await page.getByLabel('Status', { exact: true }).fill('449')
      await page.getByLabel('At most').fill('5')
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByText('on: create, count: 5').waitFor()
      const { ask } = await openExplorer(emulator)
      const create = async () =>
        (
          await ask(
            'POST',
            'data/dbs/d/colls/c/docs',
            { 'x-ms-documentdb-partitionkey': '["a"]' },
            '{"id":"1","pk":"a"}'
          )
        ).status

      expect(emulator.faults.list().map(({ rule }) => rule)).toEqual([
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
      await start()
      const { page } = await open('faults')
      await page.getByLabel('Status', { exact: true }).fill('99')
      await page.getByRole('button', { name: 'Add', exact: true }).click()

      await expect
        .poll(() => page.getByRole('status').innerText())
        .toMatch(/^400: The property 'status' of an action must be an HTTP status/)
      await page.close()
    })

    it('turns throttling on and off, keeps its options meanwhile, and advances the clock', async () => {
      await start({ throttle: { retryAfter: { fixedMs: 20 } } })
      const { page } = await open('controls')
      const toggle = page.getByRole('switch')
      await expect.poll(() => toggle.isChecked()).toBe(true)
      await toggle.click()
      await page.getByText('Throttling is off: every operation is served.').waitFor()
      expect(emulator.report().isThrottling).toBe(false)
      await toggle.click()
      await page.getByText('Throttling is on.', { exact: true }).first().waitFor()
      await expect.poll(() => page.getByLabel('Options').inputValue()).toBe('{"retryAfter":{"fixedMs":20}}')

      await page.getByRole('button', { name: 'Advance 1 hour' }).click()
      await page.getByText(/UTC, 1 h ahead of the clock of the machine\.$/).waitFor()
      expect(emulator.clock.now() - Date.now()).toBeGreaterThan(3_590_000)
      await page.close()
    })

    it('says that the emulator does not answer, and after another start that the page must be loaded again', async () => {
      await start()
      const port = Number(new URL(emulator.endpoint).port)
      const { page } = await open('load/d/c')
      await emulator.stop()
      await page.getByText('The emulator did not answer').waitFor()
      emulator = await startEmulator({ port, containers: ['d/c:/pk'] })
      await expect
        .poll(() => page.getByRole('alert').innerText())
        .toBe('401: The page belongs to an earlier start of the emulator: load it again.')
      await page.close()
    })

    it('asks for nothing while it is hidden', async () => {
      await start()
      const { page } = await open('load/d/c')
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

    it('works over https', async () => {
      await start({ https: true })
      const context = await browser.newContext({ ignoreHTTPSErrors: true })
      const page = await context.newPage()
      await page.goto(`${emulator.explorer}#faults`)
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByText('on: write').waitFor()

      expect(emulator.explorer).toMatch(/^https:/)
      expect(emulator.faults.list()).toHaveLength(1)
      await context.close()
    })

    it('asks for the control token where one is required, and takes it from its address', async () => {
      await start({ controlToken: 'secret 7' })
      const page = await browser.newPage()
      await page.goto(`${emulator.endpoint}_explorer`)
      await page.getByLabel('Control token').fill('wrong')
      await page.getByRole('button', { name: 'Open' }).click()
      await page.getByLabel('Control token').fill('secret 7')
      await page.getByRole('button', { name: 'Open' }).click()
      await page.locator('main h2').waitFor()
      await page.close()

      const other = await browser.newPage()
      await other.goto(emulator.explorer)
      await other.locator('main h2').waitFor()
      expect(other.url()).not.toContain('secret')
      await other.close()
    })
  }
)
