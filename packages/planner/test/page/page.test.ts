import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type PlanReport, renderPage } from '../../src/index.ts'
import { DANGEROUS_FIELD, sampleReport } from './sample-report.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64')
const report = sampleReport()
const page = renderPage(report, { sha256 })

describe('the page of a report', () => {
  it('is rendered from the report alone, so that a saved report gives the same page', () => {
    expect(renderPage(JSON.parse(JSON.stringify(report)) as PlanReport, { sha256 })).toBe(page)
  })

  it('has at most 250 KB without the data', () => {
    const data = /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(page)![1]
    const size = Buffer.byteLength(page) - Buffer.byteLength(data)

    console.log(`page: ${(size / 1000).toFixed(0)} KB without the data, ${(data.length / 1000).toFixed(0)} KB of data`)
    expect(size).toBeLessThan(250_000)
  })

  it('escapes every text, so that no field name or value becomes markup', () => {
    const { body, data } = partsOf(renderPage(sampleReport({ showValues: true }), { sha256 }))

    expect(JSON.stringify(report.candidates.map(({ name }) => name))).toContain('script>')
    expect(body).not.toContain(DANGEROUS_FIELD)
    expect(body).not.toContain('<img')
    expect(data).not.toContain('<')
    expect(JSON.parse(data)).toEqual(JSON.parse(JSON.stringify(sampleReport({ showValues: true }))))
  })

  it('allows only the script and the styles that it contains, and no network requests', () => {
    const [, policy] = /http-equiv="Content-Security-Policy"\s+content="([^"]*)"/.exec(page)!
    const [, styles] = /<style>(.*?)<\/style>/s.exec(page)!
    const [, script] = /<script type="module">(.*?)<\/script>/s.exec(page)!

    expect(policy.replaceAll('&#39;', "'")).toBe(
      `default-src 'none'; script-src 'sha256-${sha256(script)}'; style-src 'sha256-${sha256(styles)}'; base-uri 'none'; form-action 'none'`
    )
    expect(page).not.toMatch(/\s(?:style|on\w+)="/)
    expect(page.replace(/<script type="application.*/s, '')).not.toMatch(/https?:/)
  })

  it('shows keys as hashes, and shows no values without showValues', () => {
    expect(page).not.toContain('img src=x')
    expect(page).toContain(report.candidates[0].heavy[0].hash)
  })

  it('begins with the verdict of the planner', () => {
    const [, title] = /<h1>(.*?)<\/h1>/s.exec(page)!

    expect(textOf(title)).toBe(report.verdict.sentence)
  })

  it('shows loads as multiples of the mean if the load is unknown', () => {
    const { explore, ...others } = report
    const candidates = explore!.candidates.map((key) => ({ ...key, loadRuPerSecond: null }))
    const text = textOf(renderPage({ ...others, explore: { ...explore!, candidates } }, { sha256 }))

    expect(text).toContain('× the mean')
    expect(text).not.toContain('enough for the load')
  })

  it('marks no candidate as the verdict, and names the most even one first, if the load is unknown', () => {
    const [{ name }] = report.candidates
    const none = { ...report, verdict: { kind: 'unknown', candidate: name, sentence: 'None.' } } as const
    const table = /<h2 id="candidates">.*?<\/section>/s.exec(renderPage(none, { sha256 }))![0]

    expect(table).not.toContain('>verdict<')
    expect(textOf(table)).toContain('The first key spreads the records most evenly.')
    expect(page).toContain('>verdict<')
  })

  it('has no charts if the report has no verdict', () => {
    const none = { ...report, verdict: { kind: 'unknown', candidate: null, sentence: 'None.' } } as const
    const text = textOf(
      renderPage({ ...none, explore: null, heat: null, comparison: null, recipe: null, partitions: null }, { sha256 })
    )

    expect(text).toContain('no verdict')
    expect(text).not.toContain('Load by physical partition')
  })
})

function partsOf(text: string): { readonly body: string; readonly data: string } {
  const [, body, data] = /<body>(.*?)<script type="application\/json" id="report">(.*?)<\/script>/s.exec(text)!
  return { body, data }
}

function textOf(markup: string): string {
  return markup
    .replaceAll(/<script.*?<\/script>|<style.*?<\/style>|<[^>]*>/gs, '')
    .replaceAll('\u00a0', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
