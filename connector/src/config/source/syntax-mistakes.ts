import type { ErrorCode } from 'yaml'

/** What is wrong with a file that is no YAML, by the parser's code. */
export const SYNTAX_MISTAKES: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'an alias cannot have an anchor or a tag of its own',
  BAD_ALIAS: 'an alias names an anchor that does not stand before it, or is used too often',
  BAD_COLLECTION_TYPE: 'a tag does not fit what stands behind it',
  BAD_DIRECTIVE: 'the line that begins with % is no directive of YAML',
  BAD_DQ_ESCAPE: 'a backslash in double quotes begins no known escape: write two of them, or use single quotes',
  BAD_INDENT: 'this line is not indented like those it belongs to',
  BAD_PROP_ORDER: 'an anchor or a tag stands in the wrong place',
  BAD_SCALAR_START: 'a text cannot begin with this character: put it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a key and its value cannot stand here: put a text that holds a colon in quotes, or begin a new line',
  BLOCK_IN_FLOW: 'inside of brackets, indented lists and keys cannot be used',
  DUPLICATE_KEY: 'this key stands here a second time',
  IMPOSSIBLE: 'the file cannot be read from here on',
  KEY_OVER_1024_CHARS: 'a key is longer than YAML allows: is a quotation mark or a colon missing?',
  MISSING_CHAR: 'a comma, a bracket, a colon or a quotation mark is missing',
  MULTILINE_IMPLICIT_KEY: 'a key has to stand on one line: is a colon or a quotation mark missing?',
  MULTIPLE_ANCHORS: 'only one anchor can stand here',
  MULTIPLE_DOCS: 'the file holds a second document: several sinks are a list under `sinks`',
  MULTIPLE_TAGS: 'only one tag can stand here',
  NON_STRING_KEY: 'a key has to be a text',
  RESOURCE_EXHAUSTION: 'the file is nested too deeply',
  TAB_AS_INDENT: 'indent by blanks, not by tabs',
  TAG_RESOLVE_FAILED: 'a tag is not known or does not fit its value',
  UNEXPECTED_TOKEN: 'this cannot stand here: look for a missing bracket, comma or quotation mark before it'
}
