import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BrowserHandle, IS_TOO_WIDE, LOW_CONTRAST, startBrowser } from '@keystamp/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../run-command.ts'
import { plant, randomOf, TROUBLES } from './planted.ts'

const started = await startBrowser()

describe.skipIf('missing' in started)(
  `the page of keystamp xray ${'missing' in started ? `(skipped: ${started.missing})` : ''}`,
  () => {
    const { browser, stop } = started as BrowserHandle
    let folder: string
    let file: string

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'keystamp-xray-page-'))
      file = join(folder, 'xray.html')
      const { name, plant: plot } = TROUBLES.find((trouble) => trouble.name === 'moving-hot-spot')!
      const { emulator, container } = await plant(plot(randomOf(1, name), true))
      await runCommand(['xray', container, '--max-ru', '1000000', '--sample', '100', '--html', file])
      await emulator.stop()
    }, 60_000)

    afterAll(async () => {
      await rm(folder, { recursive: true })
      await stop()
    })

    it.each([
      ['light', 1280],
      ['dark', 390]
    ] as const)(
      'shows findings and partitions without a request or a complaint: %s, %i pixels wide',
      async (colorScheme, width) => {
        const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } })
        const complaints: string[] = []
        page.on('console', (message) => complaints.push(message.text()))
        page.on('pageerror', (error) => complaints.push(error.message))
        page.on('request', (request) => {
          if (!request.url().startsWith('file:')) complaints.push(request.url())
        })

        await page.goto(pathToFileURL(file).href)

        expect(complaints).toEqual([])
        expect(await page.textContent('h1')).toContain('moving hot spot')
        expect(await page.locator('section[aria-labelledby="ranges"] tbody tr').count()).toBe(4)
        expect(await page.locator('section[aria-labelledby="checks"] tbody tr').count()).toBe(9)
        expect(await page.locator('svg.heat').count()).toBe(1)
        expect(await page.evaluate(LOW_CONTRAST)).toEqual([])
        expect(await page.evaluate(IS_TOO_WIDE)).toBe(false)
        await page.close()
      }
    )
  }
)
