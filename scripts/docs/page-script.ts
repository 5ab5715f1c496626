import { build } from 'esbuild'

const ENTRY = 'packages/planner/src/page/client/page-script.ts'
const PATH = 'packages/planner/src/page/generated/page-script.ts'

/** Script of the report page: one file of the modules of the planner that recompute figures, readable as it is. */
export async function pageScript(): Promise<{ readonly path: string; readonly text: string }> {
  const { outputFiles } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    conditions: ['@keystamp/source'],
    minifySyntax: true
  })
  const script = outputFiles[0].text
  // the browser would take it for the end of the script, or for a comment
  if (/<\/script|<!--/i.test(script)) throw new Error('The script of the page contains the end of a script element.')
  const lines = script.trimEnd().split('\n')
  return {
    path: PATH,
    text: [
      '// Written by `npm run docs` from the modules of the page; do not edit.',
      'const LINES: readonly string[] = [',
      lines.map((line) => JSON.stringify(line)).join(',\n'),
      ']',
      "export const PAGE_SCRIPT: string = LINES.join('\\n')",
      ''
    ].join('\n')
  }
}
