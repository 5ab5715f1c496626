import { describe, expect, it } from 'vitest'
import { startBrowser } from '../src/browser.ts'

describe('startBrowser', () => {
  it('says how to install a browser where there is none', async () => {
    expect(await startBrowser({ PATH: '/nowhere' })).toEqual({ missing: expect.stringContaining('install chromium') })
  })

  it('throws where there is none although it is required', async () => {
    await expect(startBrowser({ PATH: '/nowhere', KEYSTAMP_REQUIRE_BROWSER: '1' })).rejects.toThrow(
      'A browser is required here'
    )
  })
})
