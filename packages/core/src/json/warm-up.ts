import { utf8Length } from '../text/utf8.ts'
import { writeUtf8 } from './write-json.ts'
import { Scanner } from './scanner.ts'
import { createWatchList } from './watch-list.ts'

/**
 * Scans examples of every form of JSON, so that V8 has seen all of them before it compiles the loop of the scanner.
 * V8 compiles for the forms that it has seen, and discards the code at another form. Records of a stream are similar, so that form would come late;
 * if it comes while V8 compiles the loop a second time, the process keeps code that is half as fast.
 */
export function warmUp(): void {
  const scanner = new Scanner(createWatchList(PLAN))
  for (let round = 0; round < ROUNDS; round++) {
    for (const bytes of EXAMPLES) scanner.scan(bytes, 0, bytes.length - PADDING)
  }
}

// V8 collects type feedback of a function after some hundreds of steps
const ROUNDS = 8
const PADDING = 8

const PLAN = {
  fields: [
    ['a', 'b'],
    ['a', '0']
  ],
  managed: [{ pointer: ['pk'], field: 0, written: true }]
}

const EXAMPLES = [
  '{"a":{"b":1,"0":[]},"text":"eight or more","a":[10,{"b":[[]]},"b"],"id":"x","id":"y","n":-1234567.25e+12,"z":0.5E-7}',
  '{"a":{"b":2,"0":[]},"text":"eight or less","c":[1,20,true,false,null,"","\\u0041\\n\\"","é漢😀 and more"]}',
  '{\t"a" :\r\n{ "b" : [ { } , [ ] , { "b" : 0 } ] , "0" : "" } , "\\u0061" : 1 , "é" : null , "text" : "a" }',
  '{"a":1,}',
  '{"a" 1}',
  '{a":1}',
  '[1 2]',
  '[tru]',
  '["\\x"]',
  '["\u0001"]',
  '[-]'
].map((text) => {
  const bytes = new Uint8Array(utf8Length(text) + PADDING)
  writeUtf8(text, bytes, 0)
  return bytes
})
