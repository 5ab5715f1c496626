import { createScanner } from 'typescript/unstable/ast/scanner'
import { SyntaxKind } from 'typescript/unstable/ast'

/** A piece of text in a file, such as one comment. */
export interface Prose {
  readonly kind: ProseKind
  /** Number of the line on which the piece begins, from 1 on. */
  readonly line: number
  /** The text without comment signs, quotes and Markdown code, with its line breaks. */
  readonly text: string
}

/** `name` is an identifier, `title` the title of a test. */
export type ProseKind = 'comment' | 'string' | 'title' | 'name' | 'markdown'

/** The prose of a TypeScript or JavaScript file. */
export function readSource(text: string): Prose[] {
  const found: Prose[] = []
  const lines = lineCounter(text)
  const scanner = createScanner(false, undefined, text)
  const braces: ('block' | 'template')[] = []
  const before: string[] = []
  let comment: { line: number; last: number; text: string } | undefined

  for (;;) {
    let token = scanner.scan()
    if ((token === SyntaxKind.SlashToken || token === SyntaxKind.SlashEqualsToken) && !endsValue(before.at(-1)))
      token = scanner.reScanSlashToken()
    if (token === SyntaxKind.OpenBraceToken) braces.push('block')
    if (token === SyntaxKind.TemplateHead) braces.push('template')
    if (token === SyntaxKind.CloseBraceToken && braces.pop() === 'template') {
      token = scanner.reScanTemplateToken(false)
      if (token === SyntaxKind.TemplateMiddle) braces.push('template')
    }
    if (token === SyntaxKind.NewLineTrivia || token === SyntaxKind.WhitespaceTrivia) continue
    const line = lines(scanner.getTokenStart())
    if (token === SyntaxKind.SingleLineCommentTrivia) {
      // adjacent lines that begin with // are one comment
      const words = scanner.getTokenText().replace(/^\/\/ ?/, '')
      if (comment !== undefined && comment.last === line - 1)
        comment = { ...comment, last: line, text: `${comment.text}\n${words}` }
      else {
        if (comment !== undefined) found.push({ kind: 'comment', line: comment.line, text: comment.text })
        comment = { line, last: line, text: words }
      }
      continue
    }
    if (comment !== undefined) found.push({ kind: 'comment', line: comment.line, text: comment.text })
    comment = undefined
    if (token === SyntaxKind.EndOfFile) return found
    if (token === SyntaxKind.MultiLineCommentTrivia) {
      found.push({ kind: 'comment', line, text: withoutStars(scanner.getTokenText()) })
      continue
    }
    if (STRINGS.has(token)) {
      const value = scanner.getTokenValue()
      if (isTitle(before)) found.push({ kind: 'title', line, text: value })
      // a string of one word is a name, a path or a value
      else if (value.includes(' ')) found.push({ kind: 'string', line, text: value })
    } else if (token === SyntaxKind.Identifier) found.push({ kind: 'name', line, text: scanner.getTokenText() })
    before.push(scanner.getTokenText())
    if (before.length > 6) before.shift()
  }
}

/** The prose of a Markdown file: no code blocks, no code in backticks, no addresses of links. */
export function readMarkdown(text: string): Prose[] {
  let isCode = false
  return text.split('\n').flatMap((line, index): Prose[] => {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode
    else if (!isCode && !/^(\s{4}|\t)/.test(line) && line.trim() !== '') {
      const words = line
        .replaceAll(/`[^`]*`/g, '`')
        .replaceAll(/\]\([^)]*\)/g, ']')
        .replaceAll(/<!--.*?-->/g, '')
      return [{ kind: 'markdown', line: index + 1, text: words }]
    }
    return []
  })
}

const STRINGS = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateHead,
  SyntaxKind.TemplateMiddle,
  SyntaxKind.TemplateTail
])

/** True if a slash after this token is a division. After any other token it begins a regular expression. */
function endsValue(token: string | undefined): boolean {
  return (
    token !== undefined &&
    (/^[)\]}]$/.test(token) ||
      (/^[\w$'"`]/.test(token) && !/^(return|typeof|case|in|of|await|yield|void|delete)$/.test(token)))
  )
}

/** True for the tokens before a test title: `it('...'`, `describe.each(...)('...'`, also with type arguments. */
function isTitle(before: readonly string[]): boolean {
  if (before.at(-1) !== '(') return false
  return (
    /^(it|test|describe)$/.test(before.at(-2) ?? '') ||
    (before.at(-2) === ')' && before.at(-3) === ']') ||
    /^(skipIf|runIf|only|skip)$/.test(before.at(-2) ?? '')
  )
}

function withoutStars(comment: string): string {
  return comment
    .replace(/^\/\*\*?/, '')
    .replace(/\*\/$/, '')
    .replaceAll(/^\s*\* ?/gm, '')
    .trim()
}

function lineCounter(text: string): (position: number) => number {
  let line = 1
  let at = 0
  return (position) => {
    for (let next = text.indexOf('\n', at); next >= 0 && next < position; next = text.indexOf('\n', at)) {
      line++
      at = next + 1
    }
    return line
  }
}
