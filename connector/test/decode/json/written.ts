import { JsonTarget } from '../../../src/decode/json/json-target.ts'

/** The written JSON as a string. */
export function written(write: (target: JsonTarget) => void): string {
  target.begin()
  write(target)
  return target.end().toString()
}

const target = new JsonTarget()
