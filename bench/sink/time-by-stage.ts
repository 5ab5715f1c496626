import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

interface Profile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string }
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** The stages of a record, by the paths of their code. The first match counts. */
const STAGES: readonly (readonly [string, RegExp])[] = [
  ['fetch', /kafkajs|connector\/dist\/kafka|packages\/testkit/],
  ['decode', /connector\/dist\/decode|avsc/],
  ['scan and map', /core\/dist\/(json|key|time|plan)|connector\/dist\/map/],
  ['hash', /core\/dist\/hash/],
  ['route and batch', /cosmos\/dist\/(dispatch|budget|writer)/],
  ['send', /cosmos\/dist\/client|node:(_http|http|net|internal\/stream|stream|tls|internal\/http|internal\/url|url)/],
  ['settle and commit', /connector\/dist|core\/dist\/offsets/],
  ['node itself', /node:/]
]

/** Shares of the CPU time by stage, from the profile that Node has written into the folder. */
export function timeByStage(folder: string): string {
  const file = largestProfile(folder)
  if (file === undefined) return 'no profile found'
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8')) as Profile
  const stageOf = new Map(nodes.map(({ id, callFrame }) => [id, stageOfFrame(callFrame)]))
  const micros = new Map<string, number>()
  for (const [index, sample] of samples.entries()) {
    const stage = stageOf.get(sample)
    if (stage !== undefined) micros.set(stage, (micros.get(stage) ?? 0) + timeDeltas[index])
  }
  const all = [...micros.values()].reduce((sum, one) => sum + one, 0)
  return [...micros]
    .toSorted(([, one], [, other]) => other - one)
    .map(([stage, one]) => `${stage} ${Math.round((one / all) * 100)} %`)
    .join(', ')
}

/** Each thread writes a profile; the largest one is that of the thread that runs the sink. */
function largestProfile(folder: string): string | undefined {
  const files = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))
  return files.map((name) => join(folder, name)).toSorted((one, other) => statSync(other).size - statSync(one).size)[0]
}

function stageOfFrame({ functionName, url }: Profile['nodes'][number]['callFrame']): string | undefined {
  if (functionName === '(idle)' || functionName === '(root)') return undefined
  if (functionName === '(garbage collector)') return 'garbage'
  return STAGES.find(([, pattern]) => pattern.test(url))?.[0] ?? 'everything else'
}
