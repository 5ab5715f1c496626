/** Meaning of a name in one file: a declaration of this file, a name of another file, or a name of another package. */
export type Binding =
  | { readonly kind: 'declared'; readonly statements: readonly string[] }
  | { readonly kind: 'file'; readonly specifier: string; readonly name: string }
  | { readonly kind: 'package'; readonly specifier: string; readonly name: string }

export interface DeclarationFile {
  /** Bindings by local name. */
  readonly bindings: ReadonlyMap<string, Binding>
  /** Local names by exported name. */
  readonly exports: ReadonlyMap<string, string>
}

const DECLARATION =
  /^(export )?(?:declare )?(?:abstract )?(?:function|const|let|class|interface|type|enum|namespace) ([\w$]+)/
const IMPORT = /^import (?:type )?(?:([\w$]+)(?:, )?)?(?:\* as ([\w$]+)|\{([^}]*)\})? ?from '([^']+)';?$/
const REEXPORT = /^export (?:type )?\{([^}]*)\}(?: from '([^']+)')?;?$/

/**
 * Parses a `.d.ts` file as tsc writes it: only statements begin in the first column. Throws for an unknown form of
 * statement.
 */
export function readDeclarationFile(path: string, text: string): DeclarationFile {
  const bindings = new Map<string, Binding>()
  const exports = new Map<string, string>()
  for (const { comment, code } of statementsOf(text)) {
    const declaration = DECLARATION.exec(code)
    const imported = IMPORT.exec(code)
    const reexported = REEXPORT.exec(code)
    if (declaration !== null) {
      const [, exported, name] = declaration
      const earlier = bindings.get(name)
      const statements = earlier?.kind === 'declared' ? earlier.statements : []
      bindings.set(name, { kind: 'declared', statements: [...statements, `${comment}${code}`] })
      if (exported !== undefined) exports.set(name, name)
    } else if (imported !== null) {
      const [, defaultName, namespace, names = '', specifier] = imported
      if (defaultName !== undefined && defaultName !== 'type') bindings.set(defaultName, outside(specifier, 'default'))
      if (namespace !== undefined) bindings.set(namespace, outside(specifier, '*'))
      for (const [name, local] of namesIn(names)) bindings.set(local, outside(specifier, name))
    } else if (reexported !== null) {
      const [, names, specifier] = reexported
      for (const [name, exported] of namesIn(names)) {
        exports.set(exported, name)
        if (specifier !== undefined) bindings.set(name, outside(specifier, name))
      }
    } else {
      throw new Error(`${path}: the API report cannot read "${code.split('\n')[0]}".`)
    }
  }
  return { bindings, exports }
}

function statementsOf(text: string): { comment: string; code: string }[] {
  const statements: { comment: string; code: string }[] = []
  let comment = ''
  let isComment = false
  for (const line of text.split('\n')) {
    if (isComment || line.startsWith('/**')) {
      // a comment directly after another one replaces it: the first one belongs to no statement
      comment = isComment ? `${comment}${line}\n` : `${line}\n`
      isComment = !line.includes('*/')
    } else if (/^\w/.test(line)) {
      statements.push({ comment, code: line })
      comment = ''
    } else if (line !== '' && !line.startsWith('//')) {
      const last = statements.at(-1)
      if (last === undefined) throw new Error(`A declaration file begins with "${line}".`)
      last.code += `\n${line}`
    }
  }
  return statements
}

function outside(specifier: string, name: string): Binding {
  return { kind: specifier.startsWith('.') ? 'file' : 'package', specifier, name }
}

function namesIn(list: string): [name: string, local: string][] {
  return list
    .split(',')
    .map((each) => each.replace(/^\s*type\s/, '').trim())
    .filter((each) => each !== '')
    .map((each) => {
      const [name, local = name] = each.split(/\s+as\s+/)
      return [name, local]
    })
}
