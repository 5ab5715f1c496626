import { withoutTextByteOrderMark } from '@keystamp/core/internal'
import {
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument
} from 'yaml'
import type { SourcePosition } from './describe-issue.ts'
import type { ConfigPath } from './config-path.ts'

/** A parsed configuration file: its values and their positions. */
export interface Source {
  readonly value: unknown
  /** Line and column of a key; of a missing key, those of its parent. */
  readonly positionOf: (path: ConfigPath, of: 'key' | 'value') => SourcePosition
}

/** Why a file cannot be read as YAML. */
interface SyntaxMistake {
  readonly position: SourcePosition
  readonly message: string
}

/** Parses YAML or JSON, which is a subset of YAML. */
export function parseSource(text: string): Source | readonly SyntaxMistake[] {
  const counter = new LineCounter()
  const document = parseDocument(withoutTextByteOrderMark(text), {
    lineCounter: counter,
    prettyErrors: false,
    merge: true
  })
  const positionAt = (offset: number): SourcePosition => {
    const { line, col } = counter.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  if (document.errors.length > 0) {
    // messages of the parser are not shown: they may quote the file, which can contain a secret
    return document.errors.map(({ code, pos }) => ({ position: positionAt(pos[0]), message: SYNTAX_MISTAKES[code] }))
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 })
    return { value: unshared(value ?? {}), positionOf: (path, of) => positionAt(offsetOf(document, path, of)) }
  } catch {
    return [{ position: { line: 1, column: 1 }, message: SYNTAX_MISTAKES.BAD_ALIAS }]
  }
}

function offsetOf(document: Document, path: ConfigPath, of: 'key' | 'value'): number {
  let node: unknown = document.contents
  let offset = startOf(node) ?? 0
  for (const [depth, part] of path.entries()) {
    const parent: unknown = isAlias(node) ? node.resolve(document) : node
    const isLast = depth === path.length - 1
    if (isMap(parent)) {
      const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(part))
      if (pair === undefined) return offset
      node = pair.value
      const key = startOf(pair.key) ?? offset
      offset = isLast && of === 'value' ? (startOf(node) ?? key) : key
    } else if (isSeq(parent)) {
      node = parent.items[Number(part)]
      offset = startOf(node) ?? offset
    } else {
      return offset
    }
  }
  return offset
}

// Copies values that aliases share: otherwise a change to one of them would change all of them.
function unshared(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unshared)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, unshared(each)]))
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0]
}

/** Describes a YAML error by the parser's code. */
const SYNTAX_MISTAKES: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'an alias cannot have an anchor or a tag of its own',
  BAD_ALIAS: 'an alias names an anchor that is not defined before it, or is used too often',
  BAD_COLLECTION_TYPE: 'a tag does not fit its value',
  BAD_DIRECTIVE: 'the line that begins with % is not a YAML directive',
  BAD_DQ_ESCAPE: 'a backslash in double quotes does not begin a known escape: write two of them, or use single quotes',
  BAD_INDENT: 'this line is not indented like those it belongs to',
  BAD_PROP_ORDER: 'an anchor or a tag is in the wrong place',
  BAD_SCALAR_START: 'a string cannot begin with this character: put it in quotes',
  BLOCK_AS_IMPLICIT_KEY:
    'a key and its value are not allowed here: put a string that contains a colon in quotes, or begin a new line',
  BLOCK_IN_FLOW: 'indented lists and keys are not allowed inside brackets',
  DUPLICATE_KEY: 'this key appears twice',
  IMPOSSIBLE: 'the file cannot be read from here on',
  KEY_OVER_1024_CHARS: 'a key is longer than YAML allows: is a quotation mark or a colon missing?',
  MISSING_CHAR: 'a comma, a bracket, a colon or a quotation mark is missing',
  MULTILINE_IMPLICIT_KEY: 'a key must be on one line: is a colon or a quotation mark missing?',
  MULTIPLE_ANCHORS: 'only one anchor is allowed here',
  MULTIPLE_DOCS: 'the file contains a second document: write several sinks as a list under `sinks`',
  MULTIPLE_TAGS: 'only one tag is allowed here',
  NON_STRING_KEY: 'a key must be a string',
  RESOURCE_EXHAUSTION: 'the file is nested too deeply',
  TAB_AS_INDENT: 'indent with spaces, not with tabs',
  TAG_RESOLVE_FAILED: 'a tag is not known or does not fit its value',
  UNEXPECTED_TOKEN: 'this is not allowed here: look for a missing bracket, comma or quotation mark before it'
}
