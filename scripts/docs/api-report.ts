import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type DeclarationFile, readDeclarationFile } from './declaration-file.ts'

/** A declaration, or a name from another package, that the report prints under one name. */
interface Entity {
  readonly key: string
  /** The name in its declaration. */
  readonly name: string
  readonly file?: string
  readonly statements: readonly string[]
  readonly from?: { readonly specifier: string; readonly name: string }
}

/**
 * All declarations that the entry point of a package reaches, as one text: first the exported declarations, by name,
 * then the declarations that they refer to. Names of files are left out, so that moving code does not change the
 * report.
 */
export function apiReport(packageName: string, entry: string): string {
  const files = new Map<string, DeclarationFile>()
  const entities = new Map<string, Entity>()
  const published = new Map<string, string>()
  for (const exported of fileAt(entry).exports.keys()) {
    const entity = exportedFrom(entry, exported)
    published.set(entity.key, exported)
    collect(entity)
  }
  const names = printedNames([...entities.values()], published)
  const declared = [...entities.values()].filter(({ from }) => from === undefined)
  const isPublished = ({ key }: Entity): boolean => published.has(key)
  const internal = declared.filter((entity) => !isPublished(entity))
  return [
    `// API report of ${packageName}, made by npm run docs. A change here is a change of the public API.`,
    importsOf([...entities.values()], names),
    ...printed(declared.filter(isPublished)),
    ...(internal.length === 0 ? [] : ['// Not exported; the declarations above refer to it.', ...printed(internal)]),
    'export {}',
    ''
  ].join('\n\n')

  function fileAt(path: string): DeclarationFile {
    const known = files.get(path)
    if (known !== undefined) return known
    const read = readDeclarationFile(path, readFileSync(path, 'utf8'))
    files.set(path, read)
    return read
  }

  function exportedFrom(path: string, exported: string): Entity {
    const local = fileAt(path).exports.get(exported)
    if (local === undefined) throw new Error(`${path} does not export ${exported}.`)
    return boundIn(path, local)
  }

  function boundIn(path: string, local: string): Entity {
    const binding = fileAt(path).bindings.get(local)
    if (binding === undefined) throw new Error(`${path} does not bind ${local}.`)
    if (binding.kind === 'declared')
      return { key: `${path}#${local}`, name: local, file: path, statements: binding.statements }
    if (binding.kind === 'package') {
      return { key: `${binding.specifier}#${binding.name}`, name: local, statements: [], from: binding }
    }
    return exportedFrom(join(dirname(path), binding.specifier.replace(/\.[jt]s$/, '.d.ts')), binding.name)
  }

  function collect(entity: Entity): void {
    if (entities.has(entity.key)) return
    entities.set(entity.key, entity)
    for (const name of namesUsedBy(entity)) collect(boundIn(entity.file!, name))
  }

  function namesUsedBy({ file, name, statements }: Entity): string[] {
    if (file === undefined) return []
    const { bindings } = fileAt(file)
    return [
      ...new Set(statements.flatMap((statement) => [...codeOf(statement).matchAll(REFERENCE)].map(([used]) => used)))
    ].filter((used) => used !== name && bindings.has(used))
  }

  function printed(list: readonly Entity[]): string[] {
    return list
      .toSorted((a, b) => compare(names.get(a.key)!, names.get(b.key)!))
      .map((entity) => entity.statements.map((statement) => print(entity, statement)).join('\n'))
  }

  function print(entity: Entity, statement: string): string {
    const { bindings } = fileAt(entity.file!)
    const renamed = replaceInCode(statement, (used) =>
      bindings.has(used) ? names.get(boundIn(entity.file!, used).key)! : used
    )
    const isExported = isPublished(entity)
    return renamed.replace(
      /^(export )?(declare )?(?=abstract |function |const |let |class |interface |type |enum )/m,
      (_, __, declare = '') => (isExported ? `export ${declare}` : declare)
    )
  }
}

// A property or a parameter is followed by its colon at once, a member is preceded by a dot: neither refers to a
// declaration.
const REFERENCE = /(?<![.\w$])[A-Za-z_$][\w$]*(?![\w$]|\??:)/g
const COMMENT_OR_STRING = /\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g

function codeOf(statement: string): string {
  return statement.replaceAll(COMMENT_OR_STRING, ' ')
}

function replaceInCode(statement: string, replace: (name: string) => string): string {
  let from = 0
  let text = ''
  for (const match of statement.matchAll(COMMENT_OR_STRING)) {
    text += statement.slice(from, match.index).replaceAll(REFERENCE, replace) + match[0]
    from = match.index + match[0].length
  }
  return text + statement.slice(from).replaceAll(REFERENCE, replace)
}

/**
 * Exported names are kept. If several other declarations have one name, the second one gets the suffix `_2`, and so on.
 */
function printedNames(entities: readonly Entity[], published: ReadonlyMap<string, string>): Map<string, string> {
  const names = new Map(published)
  const taken = new Set(published.values())
  for (const { key, name } of entities
    .filter((each) => !published.has(each.key))
    .toSorted((a, b) => compare(a.key, b.key))) {
    let free = name
    for (let count = 2; taken.has(free); count++) free = `${name}_${count}`
    taken.add(free)
    names.set(key, free)
  }
  return names
}

function importsOf(entities: readonly Entity[], names: ReadonlyMap<string, string>): string {
  return entities
    .flatMap(({ key, from }) => (from === undefined ? [] : [importOf(from, names.get(key)!)]))
    .toSorted(compare)
    .join('\n')
}

function importOf({ specifier, name }: { specifier: string; name: string }, local: string): string {
  if (name === '*') return `import type * as ${local} from '${specifier}'`
  if (name === 'default') return `import type ${local} from '${specifier}'`
  return `import type { ${name === local ? name : `${name} as ${local}`} } from '${specifier}'`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
