import type { Dice } from './dice.ts'

/** Creates valid JSON of an object that uses unusual forms of the grammar. */
export function createHostileDocument(dice: Dice): string {
  return space(dice) + createObject(dice, 0) + space(dice)
}

function createObject(dice: Dice, level: number): string {
  const members: string[] = []
  const count = dice.below(level === 0 ? 12 : 5)
  for (let each = 0; each < count; each++) {
    members.push(
      space(dice) + createName(dice) + space(dice) + ':' + space(dice) + createValue(dice, level + 1) + space(dice)
    )
  }
  return `{${members.join(',') || space(dice)}}`
}

function createArray(dice: Dice, level: number): string {
  const values = Array.from({ length: dice.below(5) }, () => space(dice) + createValue(dice, level + 1) + space(dice))
  return `[${values.join(',') || space(dice)}]`
}

function createValue(dice: Dice, level: number): string {
  if (level < 6 && dice.chance(0.35)) return dice.chance(0.65) ? createObject(dice, level) : createArray(dice, level)
  if (dice.chance(0.02)) return createDeep(dice)
  return dice.chance(0.5) ? createText(dice) : dice.pick(SCALARS)
}

function createDeep(dice: Dice): string {
  const depth = 60 + dice.below(80)
  const opened = Array.from({ length: depth }, () => dice.pick(['[', '{"a":', '{"id":']))
  return (
    opened.join('') +
    '1' +
    opened
      .map((open) => (open === '[' ? ']' : '}'))
      .toReversed()
      .join('')
  )
}

const NAMES = [
  ...[
    '"id"',
    '"ttl"',
    '"a"',
    '"b"',
    '"c"',
    '"pk"',
    '"0"',
    '"1"',
    '"deviceId"',
    '"date"',
    '"list"',
    '"é"',
    '"日本"',
    '"🚗"',
    '""'
  ],
  ...[
    '"\\u0069d"',
    '"i\\u0064"',
    '"\\u0061"',
    '"p\\u006b"',
    '"\\u00e9"',
    '"d\\u0061te"',
    '"q\\"x"',
    '"q\\u0022x"',
    '"\\u0000"',
    '"tt\\u006C"'
  ],
  ...[
    '"__proto__"',
    '"constructor"',
    '"toString"',
    '"idx"',
    '"xid"',
    '"deviceI"',
    '"deviceId "',
    '"a/b"',
    '"a~b"',
    '"\\ud83d\\ude97"',
    '"\\ud800"'
  ]
] as const

// Chosen so often that names are repeated, and nested as in the paths of the plans.
const WATCHED_NAMES = ['"a"', '"a"', '"b"', '"pk"', '"id"', '"0"', '"\\u0061"'] as const

function createName(dice: Dice): string {
  if (dice.chance(0.4)) return dice.pick(WATCHED_NAMES)
  return dice.chance(0.93) ? dice.pick(NAMES) : createText(dice)
}

const SCALARS = [
  ...[
    '0',
    '-0',
    '1',
    '-1',
    '2018',
    '2018.0',
    '1e3',
    '1E+3',
    '1.5e-7',
    '-3.25',
    '0.1',
    '1e400',
    '-1e400',
    '5e-324',
    '0e0',
    '0E-0'
  ],
  ...[
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '123456789012345',
    '1234567890123456',
    '12345678901234567890'
  ],
  ...['123456789012345678901234567890.5', '9'.repeat(400), `0.${'3'.repeat(50)}`, 'true', 'false', 'null']
] as const

const PIECES = [
  ...[
    'a',
    'b',
    'Z',
    '0',
    '-',
    'abcd',
    'plain text of some length',
    'é',
    '日',
    '🚗',
    '\u2028',
    '\u007f',
    '\u07ff',
    '\u0800',
    '\uffff',
    '\u{10ffff}'
  ],
  ...[
    '\\"',
    '\\\\',
    '\\/',
    '\\b',
    '\\f',
    '\\n',
    '\\r',
    '\\t',
    '\\u0041',
    '\\u00e9',
    '\\ud83d\\ude97',
    '\\ud83d',
    '\\uDE97',
    '\\u0000',
    '\\uFFFF'
  ],
  ...['{', '}', '[', ']', ':', ',', ' ', '/', '\\"id\\":', '}}}}', '\\\\\\"']
] as const

function createText(dice: Dice): string {
  const count = dice.below(dice.chance(0.2) ? 30 : 6)
  return `"${Array.from({ length: count }, () => dice.pick(PIECES)).join('')}"`
}

function space(dice: Dice): string {
  return dice.chance(0.85) ? '' : dice.pick([' ', '  ', '\t', '\n', '\r\n', ' \t \n ', '          '])
}
