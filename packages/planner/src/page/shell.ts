import { embeddedJson, html, type Markup, unescaped } from './html.ts'
import { PAGE_STYLES } from './styles.ts'

export interface PageOptions {
  /** Computes the SHA-256 of a string in UTF-8, as base64. The content policy allows scripts and styles by this hash. */
  readonly sha256: (text: string) => string
}

/** Parts of a page that differ between reports. */
export interface PageContent {
  readonly title: string
  readonly main: Markup
  readonly footer: string
  /** Embedded as JSON. */
  readonly report: object
  /** JavaScript of the page, if it has any. */
  readonly script?: string
}

/**
 * Renders a page as one HTML file. It loads nothing, and its content policy allows only the script and the styles that
 * are in it.
 */
export function renderShell({ title, main, footer, report, script }: PageContent, { sha256 }: PageOptions): string {
  const scripts = script === undefined ? '' : `script-src 'sha256-${sha256(script)}'; `
  const policy = `default-src 'none'; ${scripts}style-src 'sha256-${sha256(PAGE_STYLES)}'; base-uri 'none'; form-action 'none'`
  const { markup } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        ${unescaped(`<style>${PAGE_STYLES}</style>`)}
      </head>
      <body>
        <main>${main}</main>
        <footer>${footer}</footer>
        ${unescaped(`<script type="application/json" id="report">${embeddedJson(report)}</script>`)}
        ${script === undefined ? null : unescaped(`<script type="module">${script}</script>`)}
      </body>
    </html> `
  return markup
}
