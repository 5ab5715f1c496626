/** A page with the text between its markers `<!-- name:start -->` and `<!-- name:end -->` replaced. */
export function replaceBlock(page: string, name: string, text: string): string {
  const start = `<!-- ${name}:start -->`
  const end = `<!-- ${name}:end -->`
  const from = page.indexOf(start)
  const to = page.indexOf(end)
  if (from < 0 || to < from)
    throw new Error(`The page has no block "${name}": put ${start} and ${end} where it belongs.`)
  return `${page.slice(0, from + start.length)}\n\n${text}\n${page.slice(to)}`
}
