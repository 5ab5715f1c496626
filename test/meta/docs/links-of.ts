/** Targets of the links and images of a Markdown page, without those inside code. */
export function linksOf(markdown: string): readonly string[] {
  const prose = withoutCode(markdown)
  const inline = [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)]
  const references = [...prose.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)]
  return [...inline, ...references].map(([, target]) => target)
}

/** Anchors that GitHub gives to the headings of a Markdown page. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const [, heading] of withoutFences(markdown).matchAll(/^#{1,6} +(.*?) *#*$/gm)) {
    const slug = slugOf(heading)
    let anchor = slug
    for (let n = 1; anchors.has(anchor); n++) anchor = `${slug}-${n}`
    anchors.add(anchor)
  }
  return anchors
}

function slugOf(heading: string): string {
  return heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replace(/ /g, '-')
}

function withoutCode(markdown: string): string {
  return withoutFences(markdown).replace(/`[^`\n]*`/g, '')
}

function withoutFences(markdown: string): string {
  return markdown.replace(/^(?<fence>```+|~~~+)[\s\S]*?^\k<fence>/gm, '')
}
