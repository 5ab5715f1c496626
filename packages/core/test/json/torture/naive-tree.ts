/** A JSON value with its members in order, duplicates included. Only for JSON that JSON.parse accepts. */
export interface NaiveTree {
  readonly text: string
  /** Members of an object; elements of an array are named by their index. Undefined for a scalar. */
  readonly members: readonly NaiveMember[] | undefined
}

export interface NaiveMember {
  readonly name: string
  readonly value: NaiveTree
}

const TOKEN = /\s*([{}[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+)/sy

export function readNaiveTree(text: string): NaiveTree {
  TOKEN.lastIndex = 0
  return readValue(text, nextToken(text))
}

function readValue(text: string, token: string): NaiveTree {
  if (token !== '{' && token !== '[') return { text: token, members: undefined }
  const start = TOKEN.lastIndex - 1
  const members: NaiveMember[] = []
  for (let next = nextToken(text); next !== '}' && next !== ']'; next = nextToken(text)) {
    const first = next === ',' ? nextToken(text) : next
    if (token === '[') members.push({ name: String(members.length), value: readValue(text, first) })
    else {
      nextToken(text)
      members.push({ name: String(JSON.parse(first)), value: readValue(text, nextToken(text)) })
    }
  }
  return { text: text.slice(start, TOKEN.lastIndex), members }
}

function nextToken(text: string): string {
  const found = TOKEN.exec(text)
  if (found === null) throw new Error('The text was not valid JSON.')
  return found[1]
}
