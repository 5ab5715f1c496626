import { type Emulator, type EmulatorOptions, startEmulator } from '@keystamp/emulator'
import { type BrowserHandle, startBrowser } from '@keystamp/testkit'
import { afterAll, afterEach, describe, expect } from 'vitest'
import { openExplorer } from './open-explorer.ts'

type Browser = BrowserHandle['browser']
type Page = Awaited<ReturnType<Browser['newPage']>>

/** Addresses of the views, in an emulator with the container c in the database d. */
export const VIEWS = ['load/d/c', 'items/d/c', 'query/d/c', 'faults', 'controls', 'new'] as const

/** A browser, and the emulator whose explorer it opens. */
export interface ExplorerInBrowser {
  readonly browser: Browser
  /** The emulator of the test, which stops after the test. */
  emulator: Emulator
  /** Starts an emulator with one container. */
  readonly start: (options?: EmulatorOptions) => Promise<void>
  /** Opens a view, and gathers errors and requests that a user would not want. */
  readonly open: (
    view?: string,
    appearance?: { colorScheme?: 'light' | 'dark'; width?: number }
  ) => Promise<{ page: Page; complaints: string[] }>
  /** Stores a document as another client does. */
  readonly store: (document: string, key: string) => Promise<void>
}

/** Runs tests of the explorer in a browser; without a browser, the tests are skipped. */
export async function describeExplorer(tests: (explorer: ExplorerInBrowser) => void): Promise<void> {
  const started = await startBrowser()
  const skipped = 'missing' in started ? `(skipped: ${started.missing})` : ''
  describe.skipIf('missing' in started)(`the explorer in a browser ${skipped}`, () => {
    const { browser, stop } = started as BrowserHandle
    const explorer = createExplorer(browser)
    afterEach(() => explorer.emulator.stop())
    afterAll(() => stop())
    tests(explorer)
  })
}

function createExplorer(browser: Browser): ExplorerInBrowser {
  const explorer: ExplorerInBrowser = {
    browser,
    // each test starts its emulator
    emulator: undefined as unknown as Emulator,
    start: async (options = {}) => {
      explorer.emulator = await startEmulator({ ranges: 2, containers: ['d/c:/pk'], ...options })
    },
    open: async (view = '', { colorScheme = 'light', width = 1280 } = {}) => {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } })
      const complaints: string[] = []
      page.on('console', (message) => complaints.push(message.text()))
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('request', (request) => {
        if (!request.url().startsWith(explorer.emulator.endpoint) && !request.url().startsWith('data:'))
          complaints.push(request.url())
      })
      await page.goto(`${explorer.emulator.explorer}${view === '' ? '' : `#${view}`}`)
      await page.locator('main h2').waitFor()
      return { page, complaints }
    },
    store: async (document, key) => {
      const { ask } = await openExplorer(explorer.emulator)
      const headers = { 'x-ms-documentdb-partitionkey': key }
      const { status, text } = await ask('POST', 'data/dbs/d/colls/c/docs', headers, document)
      expect([status, text]).toEqual([201, text])
    }
  }
  return explorer
}
