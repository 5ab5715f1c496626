import { createHash } from 'node:crypto'
import { PAGE_SCRIPT } from './generated/page-script.ts'
import { PAGE_STYLES } from './styles.ts'

/** The page, and the content policy of its header. */
export interface Page {
  readonly body: string
  readonly policy: string
}

/**
 * Renders the page as one file, which loads nothing else. The policy allows only this script and these styles,
 * requests to this emulator, and no markup from strings. A page without a token asks the user for the control token.
 */
export function renderPage(token: string | null): Page {
  const settings = JSON.stringify({ token }).replaceAll('<', String.raw`\u003c`)
  return { policy: POLICY, body: HEAD + settings + TAIL }
}

const POLICY: string = [
  "default-src 'none'",
  `script-src '${sha256(PAGE_SCRIPT)}'`,
  `style-src '${sha256(PAGE_STYLES)}'`,
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join('; ')

// a square of three ranges, the last one hot
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="5" fill="#8fb4d6"/><rect y="5" width="16" height="6" fill="#24639c"/><rect y="11" width="16" height="5" fill="#c0392b"/></svg>'
)}`

const HEAD = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Cosmos DB emulator</title>
<link rel="icon" href="${ICON}">
<style>${PAGE_STYLES}</style>
</head>
<body>
<noscript>The explorer needs JavaScript.</noscript>
<script type="application/json" id="settings">`

const TAIL = `</script>
<script type="module">${PAGE_SCRIPT}</script>
</body>
</html>
`

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
