import { afterAll, describe, expect, it } from 'vitest'
import { type BrowserHandle, startBrowser } from '../src/browser.ts'
import { CONTROLS, IS_TOO_WIDE, LOW_CONTRAST, UNNAMED } from '../src/page-probes.ts'

const started = await startBrowser()
const skipped = 'missing' in started ? `(skipped: ${started.missing})` : ''

describe.skipIf('missing' in started)(`a script that checks a page ${skipped}`, () => {
  const { browser, stop } = started as BrowserHandle
  afterAll(() => stop())

  /** The value of a script in a page with this body. */
  async function evaluate(script: string, body: string): Promise<unknown> {
    const page = await browser.newPage({ viewport: { width: 400, height: 300 } })
    await page.setContent(`<!doctype html><html lang="en"><body>${body}</body></html>`)
    const value: unknown = await page.evaluate(script)
    await page.close()
    return value
  }

  it.each([
    ['black text on white', '<p>text</p>', []],
    ['gray text with a contrast of 4.54', '<p style="color: #767676">text</p>', []],
    ['gray text with a contrast of 4.48', '<p style="color: #777777">text</p>', ['4.48 text']],
    [
      'text on the background of an outer element',
      '<div style="background: #000"><p style="color: #222">text</p></div>',
      ['1.32 text']
    ],
    ['a translucent button', '<button style="opacity: 0.5; color: #000; background: #fff">Go</button>', ['21.00 Go']],
    ['a field in a color close to its background', '<input style="color: #eee; background: #fff">', ['1.16 INPUT']],
    ['a slider, which shows no text', '<input type="range" style="color: #eee; background: #fff">', []],
    ['text that is not displayed', '<p style="display: none; color: #fff">text</p>', []]
  ])('finds what is hard to read: %s', async (_title, body, expected) => {
    expect(await evaluate(LOW_CONTRAST, body)).toEqual(expected)
  })

  it('finds controls without a name, and counts those that the Tab key should reach', async () => {
    const body =
      '<button id="x"></button><button>Go</button><input aria-label="Id"><label>Key <input></label><button disabled>No</button>'

    expect(await evaluate(UNNAMED, body)).toEqual(['<button id="x"></button>'])
    expect(await evaluate(CONTROLS, body)).toBe(4)
  })

  it.each([
    [380, false],
    [500, true]
  ])('tells whether a part of %d pixels is wider than a window of 400', async (width, expected) => {
    expect(await evaluate(IS_TOO_WIDE, `<div style="width: ${width}px">text</div>`)).toBe(expected)
  })
})
