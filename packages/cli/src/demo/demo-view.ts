import type { Dependencies } from '../dependencies.ts'
import { frameOf, lineOf, type Panel, type World } from './frame.ts'

/** Where the demo is looked at. */
export interface DemoView {
  readonly everyMs: number
  readonly say: (line: string) => void
  readonly show: (panels: readonly Panel[], seconds: number, world: World) => void
}

/** A picture that is drawn anew on a terminal, a line a second elsewhere. */
export function createDemoView(stdout: Dependencies['stdout']): DemoView {
  const say = (line: string): void => void stdout.write(`${line}\n`)
  if (stdout.isTTY !== true) return { everyMs: 1000, say, show: (panels, seconds, world) => say(lineOf(panels, seconds, world)) }
  let drawn = 0
  return {
    everyMs: 500,
    say,
    show: (panels, seconds, world) => {
      const lines = ['', ...frameOf(panels, world), `${Math.round(seconds)} s. q ends it.`]
      const up = drawn === 0 ? '' : `\u001b[${drawn}A`
      stdout.write(`${up}${lines.map((line) => `${line}\u001b[K\n`).join('')}`)
      drawn = lines.length
    }
  }
}
