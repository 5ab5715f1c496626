// Scripts that tests run inside of a page: strings, since they use the browser's names.

/** Texts and fields that are translucent, or whose contrast is below 4.5, the minimum of WCAG 2.2 (AA). */
export const LOW_CONTRAST: string = `(() => {
  const parse = (color) => color.match(/[\\d.]+/g).map(Number)
  const channel = (value) => (value <= 10.31475 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4)
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b)
  const backgroundOf = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const color = parse(getComputedStyle(each).backgroundColor)
      if (color.length === 3 || color[3] === 1) return color
    }
    return [255, 255, 255]
  }
  const contrastOf = (element) => {
    const [front, ground] = [luminance(parse(getComputedStyle(element).color)), luminance(backgroundOf(element))]
    return (Math.max(front, ground) + 0.05) / (Math.min(front, ground) + 0.05)
  }
  const found = []
  const check = (element, text) => {
    const contrast = contrastOf(element)
    if (contrast < 4.5 || getComputedStyle(element).opacity !== '1') found.push(contrast.toFixed(2) + ' ' + text.slice(0, 40))
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    if (node.textContent.trim() === '' || element.closest('script, option') || !element.checkVisibility()) continue
    check(element, node.textContent.trim())
  }
  // a slider shows no text
  const fields = document.querySelectorAll('input:not([type=range]), select, textarea')
  for (const each of fields) if (each.checkVisibility()) check(each, each.tagName)
  return found
})()`

/** Elements that a user can operate and that have no name for a screen reader. */
export const UNNAMED: string = `[...document.querySelectorAll('button, a, input, select, textarea, canvas, [role=region]')]
  .filter((each) => each.checkVisibility())
  .filter((each) => !(each.textContent.trim() || each.labels?.length || each.getAttribute('aria-label')))
  .map((each) => each.outerHTML.slice(0, 80))`

/** Whether a part of the page is wider than the window. */
export const IS_TOO_WIDE: string = 'document.documentElement.scrollWidth > innerWidth'

/** Elements that the Tab key should reach. */
export const CONTROLS: string = `[...document.querySelectorAll('a, button, input, select, textarea, summary, canvas, [tabindex="0"]')]
  .filter((each) => !each.disabled && each.checkVisibility()).length`

/** Position of the element with the focus among all elements; null if no element has it. */
export const FOCUSED: string = `document.activeElement === document.body ? null : [...document.querySelectorAll('*')].indexOf(document.activeElement)`

/** Milliseconds of the last drawing of the explorer's picture. */
export const DRAW_MS: string = `performance.getEntriesByName('draw').at(-1)?.duration`

/** Number of pixels of the explorer's picture that have the color of a custom property. */
export const pixelsOf = (property: string): string => `(() => {
  const canvas = document.querySelector('canvas')
  const hex = getComputedStyle(canvas).getPropertyValue('${property}').trim()
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  const { data } = canvas.getContext('2d').getImageData(44, 0, canvas.width - 150, canvas.height)
  let count = 0
  for (let at = 0; at < data.length; at += 4) if (data[at] === r && data[at + 1] === g && data[at + 2] === b) count += 1
  return count
})()`

/** Milliseconds from the move of a slider of the report to its end until the page is painted: the least of ten moves. */
export const PAINT_MS: string = `(async () => {
  const slider = document.getElementById('partitions')
  const times = []
  for (let round = 0; round < 10; round++) {
    slider.value = '0'
    slider.dispatchEvent(new Event('input', { bubbles: true }))
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    const start = performance.now()
    slider.value = slider.max
    slider.dispatchEvent(new Event('input', { bubbles: true }))
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    times.push(performance.now() - start)
  }
  return Math.min(...times)
})()`
