// Scripts that run inside of the page: texts, since they use the browser's names.

/** Texts whose contrast with their background is below 4.5, the least of WCAG 2.2 (AA). */
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
  const found = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    if (node.textContent.trim() === '' || element.closest('script') || !element.checkVisibility()) continue
    const [text, ground] = [luminance(parse(getComputedStyle(element).color)), luminance(backgroundOf(element))]
    const contrast = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05)
    if (contrast < 4.5) found.push(contrast.toFixed(2) + ' ' + node.textContent.trim().slice(0, 40))
  }
  return found
})()`

/** Milliseconds from the move of a slider to its last number until the page is painted: the least of ten moves. */
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

/** Whether a part of the page is wider than the window. */
export const IS_TOO_WIDE: string = 'document.documentElement.scrollWidth > innerWidth'
