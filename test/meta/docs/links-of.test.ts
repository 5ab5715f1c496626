import { expect, test } from 'vitest'
import { anchorsOf, linksOf } from './links-of.ts'

test('linksOf returns links, images and reference links, but no links inside code', () => {
  const page = '[a](b.md#c) ![d](e.svg "f") `[g](h.md)`\n\n```md\n[i](j.md)\n```\n\n[k]: l.md\n'

  expect(linksOf(page)).toEqual(['b.md#c', 'e.svg', 'l.md'])
})

test('anchorsOf makes the same anchors as GitHub', () => {
  const page = '# Order, `read` & all_of-it\n## Ids\n## Ids\n```sh\n# no heading\n```\n### 0012: [A](b.md) page\n'

  expect([...anchorsOf(page)]).toEqual(['order-read--all_of-it', 'ids', 'ids-1', '0012-a-page'])
})
