import { describe, expect, it } from 'vitest'
import { startBrowser } from '../src/browser.ts'

describe('startBrowser', () => {
  it('returns instructions to install a browser if none is installed', async () => {
    expect(await startBrowser({ PATH: '/nowhere' })).toEqual({ missing: expect.stringContaining('install chromium') })
  })

  it('throws if no browser is installed and KEYSTAMP_REQUIRE_BROWSER is set', async () => {
    await expect(startBrowser({ PATH: '/nowhere', KEYSTAMP_REQUIRE_BROWSER: '1' })).rejects.toThrow(
      'A browser is required here'
    )
  })
})
