import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { exploreRate, formatCount, formatPercent, formatPrice, type PlanReport } from '@keystamp/planner'
import { type BrowserHandle, IS_TOO_WIDE, LOW_CONTRAST, PAINT_MS, startBrowser } from '@keystamp/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../run-command.ts'
import { REPORT_SAMPLES } from './report-samples.ts'

const started = await startBrowser()

describe.skipIf('missing' in started)(
  `the page of keystamp plan ${'missing' in started ? `(skipped: ${started.missing})` : ''}`,
  () => {
    const { browser, stop } = started as BrowserHandle
    let folder: string
    let report: PlanReport

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'keystamp-page-'))
      const [{ input, args }] = REPORT_SAMPLES
      const { stdout } = await runCommand(['plan', ...args, '--json', '--html', path('report.html')], { input })
      writeFileSync(path('report.json'), stdout)
      report = JSON.parse(stdout) as PlanReport
    })

    afterAll(async () => {
      rmSync(folder, { recursive: true })
      await stop()
    })

    const path = (name: string): string => join(folder, name)

    /** Opens a page, and gathers what a user would not want to see. */
    async function open(
      name = 'report.html',
      { colorScheme, width = 1280 }: { colorScheme?: 'light' | 'dark'; width?: number } = {}
    ) {
      const page = await browser.newPage({ colorScheme: colorScheme ?? 'light', viewport: { width, height: 900 } })
      const complaints: string[] = []
      page.on('console', (message) => complaints.push(message.text()))
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('request', (request) => {
        if (!request.url().startsWith('file:')) complaints.push(request.url())
      })
      await page.goto(pathToFileURL(path(name)).href)
      return { page, complaints }
    }

    type Opened = Awaited<ReturnType<typeof open>>['page']

    /** Moves a slider as a user does. */
    async function move(page: Opened, id: 'partitions' | 'rate', value: number): Promise<void> {
      await page.evaluate(
        `{ const slider = document.getElementById('${id}'); slider.value = '${value}'; slider.dispatchEvent(new Event('input', { bubbles: true })) }`
      )
    }

    const figureOf = (page: Opened, name: string, key: 0 | 1): Promise<string> =>
      page.locator(`#explored figure:nth-child(${key === 0 ? 2 : 1}) [data-figure="${name}"]`).innerText()

    it('is the same if it is written again from the saved report', async () => {
      const again = await runCommand(['plan', '--report', path('report.json'), '--html', path('again.html')])

      expect(again.code).toBe(0)
      expect(readFileSync(path('again.html'), 'utf8')).toBe(readFileSync(path('report.html'), 'utf8'))
    })

    it('shows the verdict first, and causes no error on the console and no request', async () => {
      const { page, complaints } = await open()

      expect(await page.title()).toContain(report.verdict.candidate)
      expect((await page.locator('h1').textContent())?.replaceAll('\u00a0', ' ')).toBe(report.verdict.sentence)
      expect(complaints).toEqual([])
      await page.close()
    })

    it('blocks scripts, styles and requests that are not in it', async () => {
      const { page, complaints } = await open()
      const added = `(async () => {
        document.body.insertAdjacentHTML('beforeend', '<img src="https://example.com/x.png" onerror="window.hit = 1">')
        await fetch('https://example.com/').catch(() => {})
        return window.hit ?? 0
      })()`

      expect(await page.evaluate(added)).toBe(0)
      expect(complaints.join('\n')).toContain('Content Security Policy')
      await page.close()
    })

    it.each(['light', 'dark'] as const)('is readable in %s colors', async (colorScheme) => {
      const { page } = await open('report.html', { colorScheme })
      await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")

      expect(await page.evaluate(LOW_CONTRAST)).toEqual([])
      await page.close()
    })

    it.each([1280, 420])('fits into a window of %d pixels', async (width) => {
      const { page } = await open('report.html', { width })

      expect(await page.evaluate(IS_TOO_WIDE)).toBe(false)
      await page.close()
    })

    it('lets the keyboard reach every control and move a slider', async () => {
      const { page } = await open()
      const controls = 'document.querySelectorAll("summary, button, input, [tabindex]").length'
      const closed = 'document.querySelectorAll("details:not([open]) :is(button, input, [tabindex])").length'
      const total = Number(await page.evaluate(controls)) - Number(await page.evaluate(closed))
      const reached = new Set<unknown>()
      for (let press = 0; press < total; press++) {
        await page.keyboard.press('Tab')
        reached.add(
          await page.evaluate(
            `[...document.querySelectorAll('*')].indexOf(document.activeElement) + ':' + document.activeElement.tagName`
          )
        )
      }
      expect(reached.size).toBe(total)

      await page.locator('#partitions').focus()
      const before = await page.locator('#partitions-value').textContent()
      await page.keyboard.press('ArrowRight')
      expect(await page.locator('#partitions-value').textContent()).not.toBe(before)
      await page.close()
    })

    it('shows the figures of the command for both keys if its sliders are at the throughput of each key', async () => {
      const { page } = await open()
      const [best] = report.candidates
      const other = report.candidates.find(({ name }) => name === report.comparison!.candidate)!

      for (const [key, candidate] of [best, other].entries()) {
        const steps = report.explore!.candidates[0].at
        await move(
          page,
          'partitions',
          steps.findIndex(({ partitions }) => partitions === candidate.physicalPartitions)
        )
        await move(page, 'rate', candidate.neededRuPerSecond!)
        const shown = (name: string) => figureOf(page, name, key as 0 | 1)
        expect(await shown('usable')).toBe(formatPercent(candidate.usableShare!.mid))
        expect(await shown('needed')).toBe(`${formatCount(candidate.neededRuPerSecond!)} RU/s`)
        expect(await shown('price')).toBe(formatPrice(candidate.monthlyPrice!, candidate.price!.currency))
      }
      await page.getByText('Reset sliders').click()
      expect(await figureOf(page, 'needed', 0)).toBe(`${formatCount(best.neededRuPerSecond!)} RU/s`)
      await page.close()
    })

    it('computes its figures with the functions of the command, for every position of its sliders', async () => {
      const { page } = await open()
      const { explore } = report
      const [key] = explore!.candidates

      for (const [index, { partitions }] of key.at.entries()) {
        const ruPerSecond = 3000 * partitions
        await move(page, 'partitions', index)
        await move(page, 'rate', ruPerSecond)
        const rate = exploreRate(explore!, key, { partitions, ruPerSecond })
        const { neededRuPerSecond: needed, usableRuPerSecond, monthlyPrice, price } = rate
        expect(await figureOf(page, 'needed', 0)).toBe(
          needed === null ? 'no throughput is enough' : `${formatCount(needed)} RU/s`
        )
        expect(await figureOf(page, 'usable-rate', 0)).toBe(`${formatCount(Math.ceil(usableRuPerSecond!))} RU/s`)
        expect(await figureOf(page, 'price', 0)).toBe(formatPrice(monthlyPrice!, price.currency))
      }
      await page.close()
    })

    it('copies a part of the recipe to the clipboard', async () => {
      const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
      const page = await context.newPage()
      await page.goto(pathToFileURL(path('report.html')).href)
      await page.getByRole('button', { name: 'Copy Container definition: JSON' }).click()

      await page.getByText('Copied').waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(report.recipe!.container.json)
      await context.close()
    })

    it('paints the bars of 1,000 physical partitions in under 100 ms', async () => {
      const at = (partitions: number) => ({
        ...report.explore!.candidates[0].at[0],
        partitions,
        loadByRange: Array.from({ length: partitions }, (_, range) => (1 + Math.sin(range)) / partitions)
      })
      const candidates = report.explore!.candidates.map((key) => ({ ...key, at: [at(1), at(1000)] }))
      writeFileSync(path('large.json'), JSON.stringify({ ...report, explore: { ...report.explore, candidates } }))
      await runCommand(['plan', '--report', path('large.json'), '--html', path('large.html')])
      const { page, complaints } = await open('large.html')

      const paintMs = Number(await page.evaluate(PAINT_MS))

      console.log(`page: 2 x 1,000 bars painted in ${paintMs.toFixed(1)} ms (least of ten moves of a slider)`)
      expect(await page.locator('#partitions-value').textContent()).toBe('1,000')
      expect(paintMs).toBeLessThan(100)
      expect(complaints).toEqual([])
      await page.close()
    })
  }
)

describe('keystamp plan --report', () => {
  it.each([
    [
      'a file that does not exist',
      ['--report', '/nowhere/report.json'],
      'The report /nowhere/report.json cannot be read'
    ],
    ['a file that is not a report', ['--report', 'package.json'], 'package.json is not a report of this version'],
    [
      'a sample in addition',
      ['--report', 'report.json', 'data.ndjson'],
      '--report prints a saved report and reads no sample'
    ],
    [
      'a topic in addition',
      ['--report', 'package.json', '--from-topic', 'a:1/b'],
      '--report prints a saved report and reads no sample'
    ]
  ])('refuses %s with a sentence', async (_title, args, sentence) => {
    const { code, stderr } = await runCommand(['plan', ...args])

    expect(code).toBe(2)
    expect(stderr).toContain(sentence)
  })
})
