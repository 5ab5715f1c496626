import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Browser } from 'playwright-core'

/** Browser for tests. */
export interface BrowserHandle {
  readonly browser: Browser
  readonly stop: () => Promise<void>
}

/** Why there is no browser. */
export interface BrowserMissing {
  readonly missing: string
}

const NAMES: readonly string[] = ['chromium', 'chromium-browser', 'google-chrome']

/** Starts the Chromium of this machine without a window; otherwise returns the reason why there is none. */
export async function startBrowser(env: NodeJS.ProcessEnv = process.env): Promise<BrowserHandle | BrowserMissing> {
  const path = findProgram(NAMES, env['PATH'] ?? '')
  if (path === undefined) {
    const missing = 'There is no chromium on this machine: install it (apt-get install chromium).'
    if (env['KEYSTAMP_REQUIRE_BROWSER'] === '1') throw new Error(`A browser is required here. ${missing}`)
    return { missing }
  }
  // other tests do not need the client
  const { chromium } = await import('playwright-core')
  // the sandbox of Chromium refuses to start as root, and pages of tests are our own
  const browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'], timeout: 60_000 })
  return { browser, stop: () => browser.close() }
}

function findProgram(names: readonly string[], path: string): string | undefined {
  return names.flatMap((name) => path.split(delimiter).map((folder) => join(folder, name))).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
