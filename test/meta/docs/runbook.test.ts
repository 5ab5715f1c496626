import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { anchorsOf } from './links-of.ts'

interface Alert {
  readonly alert: string
  readonly annotations: { readonly runbook?: string }
}

const page = read('docs/operations.md')
const { groups } = parse(read('docker/prometheus/rules.yml')) as {
  groups: readonly { readonly rules: readonly Alert[] }[]
}
const alerts = groups.flatMap(({ rules }) => rules)

describe('the runbook in docs/operations.md', () => {
  it('has a section for each alert, and no section for an alert that does not exist', () => {
    const runbook = page.slice(page.indexOf('## Runbook'), page.indexOf('## Upgrade'))
    const sections = [...runbook.matchAll(/^### (.*)$/gm)].map(([, title]) => title)

    expect(alerts.length).toBeGreaterThan(4)
    expect(sections).toEqual(alerts.map(({ alert }) => alert))
  })

  it.each(alerts.map(({ alert, annotations }) => [alert, annotations.runbook] as const))(
    'is linked by the alert %s',
    (alert, runbook) => {
      const [path, anchor] = runbook?.split('#') ?? []

      expect(path).toBe('docs/operations.md')
      expect(anchor).toBe(alert.toLowerCase())
      expect(anchorsOf(page)).toContain(anchor)
    }
  )
})

function read(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
}
