import { describe, expect, it } from 'vitest'
import { screenOf, wrapLines } from '../picture/screen.ts'
import { terminalSvg } from '../picture/terminal-svg.ts'

describe('the screen of a terminal', () => {
  it('shows the last frame of a picture that is redrawn in place', () => {
    const output =
      'start\r\n one: 1\u001B[K\r\n two: 22\u001B[K\r\n\u001B[2A one: 3\u001B[K\r\n two: 4\u001B[K\r\n\r\nend'

    expect(screenOf(output)).toEqual(['start', ' one: 3', ' two: 4', '', 'end'])
  })

  it('ignores colors', () => {
    expect(screenOf('\u001B[1;31m red\u001B[0m')).toEqual([' red'])
  })

  it('wraps sentences, but no line with a fixed layout', () => {
    expect(wrapLines(['a sentence of words', '  a  layout of  columns'], 10)).toEqual([
      'a sentence',
      'of words',
      '  a  layout of  columns'
    ])
  })
})

describe('the picture of a terminal', () => {
  const svg = terminalSvg({ lines: ['a < b   c d', '▄▄ ██'], title: 'T & U', description: 'D' })

  it('positions words by their column, with a fixed width', () => {
    expect(
      [...svg.matchAll(/<text x="([\d.]+)".*textLength="([\d.]+)".*>(.*)<\/text>/g)].map((match) => match.slice(1))
    ).toEqual([
      ['16', '36.5', 'a &lt; b'],
      ['74.4', '21.9', 'c d']
    ])
  })

  it('draws bars from the lower edge of their line, with the height of the character', () => {
    expect(
      [...svg.matchAll(/class="bar" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g)].map((match) =>
        match.slice(1)
      )
    ).toEqual([
      ['16', '41.5', '14.6', '8.5'],
      ['37.9', '33', '14.6', '17']
    ])
  })

  it('has colors for light and dark pages, and a description', () => {
    expect(svg).toContain('prefers-color-scheme:dark')
    expect(svg).toContain('<title id="title">T &amp; U</title>')
  })
})
