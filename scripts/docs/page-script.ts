import { build } from 'esbuild'

/** Folders of pages: of the report of `keystamp plan`, and of the explorer of the emulator. */
const PAGES: readonly string[] = ['packages/planner/src/page', 'packages/emulator/src/explorer']

/** Scripts of the pages: each is one file of the modules that run in the browser, readable as it is. */
export function pageScripts(): Promise<{ readonly path: string; readonly text: string }[]> {
  return Promise.all(PAGES.map(pageScript))
}

async function pageScript(folder: string): Promise<{ readonly path: string; readonly text: string }> {
  const { outputFiles } = await build({
    entryPoints: [`${folder}/client/page-script.ts`],
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
    path: `${folder}/generated/page-script.ts`,
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
