import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

/** A service of `docker-compose.yml`, with the keys that this file uses. */
export interface Service {
  readonly image: string
  readonly build?: { readonly context: string; readonly target: string }
  readonly environment?: Readonly<Record<string, string | number>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly healthcheck?: { readonly disable?: boolean }
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly profiles?: readonly string[]
  readonly deploy?: { readonly replicas: number }
}

/** An instruction of the Dockerfile, which may span several lines. */
export interface Instruction {
  /** Name of the build stage that contains the instruction. */
  readonly stage: string
  readonly word: string
  readonly rest: string
}

const ROOT = new URL('../../', import.meta.url)

/** Absolute path of a file of the repository. */
export function pathOf(file: string): string {
  return fileURLToPath(new URL(file, ROOT))
}

/** The text of a file of the repository. */
export function textOf(file: string): string {
  return readFileSync(pathOf(file), 'utf8')
}

/** Content of a YAML or JSON file of the repository. */
export function contentOf(file: string): unknown {
  return file.endsWith('.json') ? JSON.parse(textOf(file)) : parse(textOf(file), { merge: true })
}

/** The services by name. */
export function services(): Readonly<Record<string, Service>> {
  return (contentOf('docker-compose.yml') as { services: Record<string, Service> }).services
}

/** Instructions of the Dockerfile, in order. */
export function instructions(): readonly Instruction[] {
  let stage = ''
  return textOf('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [word = '', ...rest] = line.split(' ')
      if (word === 'FROM') stage = rest.at(-1) ?? ''
      return { stage, word, rest: rest.join(' ') }
    })
}
