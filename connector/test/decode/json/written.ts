import { JsonTarget } from '../../../src/decode/json/json-target.ts'

/** What is written as text. */
export function written(write: (target: JsonTarget) => void): string {
  target.begin()
  write(target)
  return target.end().toString()
}

const target = new JsonTarget()
