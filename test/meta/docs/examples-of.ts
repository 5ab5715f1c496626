/** A fenced code block of a page. */
export interface Example {
  readonly page: string
  readonly line: number
  readonly language: string
  /** Rest of the line after the language: `skip` with a reason, the name of a file, or an empty string. */
  readonly note: string
  readonly text: string
}

/** The fenced code blocks of a Markdown page, in their order. */
export function examplesOf(page: string, markdown: string): readonly Example[] {
  const examples: Example[] = []
  const fence = /^```(\w+)[ \t]*(.*)\n([\s\S]*?)^```$/gm
  for (const match of markdown.matchAll(fence)) {
    const line = markdown.slice(0, match.index).split('\n').length + 1
    examples.push({ page, line, language: match[1], note: match[2], text: match[3] })
  }
  return examples
}

/** Expected output of an example: the comments after its `console.log` calls, in their order. */
export function promisedOutput(code: string): readonly string[] {
  return code.split('\n').flatMap((line) => {
    const match = /console\.log\(.*\) \/\/ (.*)$/.exec(line)
    return match === null ? [] : [match[1]]
  })
}
