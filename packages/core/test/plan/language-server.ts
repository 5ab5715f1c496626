import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Answers of an editor for a file, according to the language server of the compiler. */
export interface ShownFile {
  /** Returns the documentation at the first occurrence of `text`; empty if the editor shows none. */
  readonly hover: (text: string) => Promise<string>
  /** Returns the messages of the compiler, by line. */
  readonly mistakes: () => Promise<ReadonlyMap<number, string>>
  readonly close: () => Promise<void>
}

interface Answer {
  readonly id?: number
  readonly method?: string
  readonly result?: unknown
}

const TSC = fileURLToPath(new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url))

/** Opens a string as a file next to this one, in `tsc --lsp`. */
export async function showFile(text: string): Promise<ShownFile> {
  const uri = new URL('shown-in-an-editor.test.ts', import.meta.url).href
  const server = spawn(process.execPath, [TSC, '--lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, (result: unknown) => void>()
  let received = Buffer.alloc(0)
  let asked = 0
  server.stdout.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (let answer = next(); answer !== undefined; answer = next()) {
      // answers the server's request for settings with none
      if (answer.method !== undefined && answer.id !== undefined) send({ id: answer.id, result: null })
      else if (answer.id !== undefined) waiting.get(answer.id)?.(answer.result)
    }
  })

  function next(): Answer | undefined {
    const header = received.indexOf('\r\n\r\n')
    const length = Number(/Content-Length: (\d+)/i.exec(received.toString('utf8', 0, Math.max(header, 0)))?.[1])
    if (header < 0 || received.length < header + 4 + length) return undefined
    const body = received.toString('utf8', header + 4, header + 4 + length)
    received = received.subarray(header + 4 + length)
    return JSON.parse(body) as Answer
  }

  function send(message: object): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }

  function ask(method: string, params: object): Promise<unknown> {
    const id = ++asked
    send({ id, method, params })
    return new Promise((resolve) => waiting.set(id, resolve))
  }

  const hover = { contentFormat: ['markdown'] }
  await ask('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: { textDocument: { hover, diagnostic: {} } }
  })
  send({ method: 'initialized', params: {} })
  send({
    method: 'textDocument/didOpen',
    params: { textDocument: { uri, languageId: 'typescript', version: 1, text } }
  })
  return {
    hover: async (part) => {
      const before = text.slice(0, text.indexOf(part)).split('\n')
      const position = { line: before.length - 1, character: (before.at(-1) ?? '').length }
      const shown = (await ask('textDocument/hover', { textDocument: { uri }, position })) as {
        contents: { value: string }
      } | null
      return (shown?.contents.value ?? '').replace(/^```.*?```/s, '').trim()
    },
    mistakes: async () => {
      const report = (await ask('textDocument/diagnostic', { textDocument: { uri } })) as {
        items: { range: { start: { line: number } }; message: string; severity: number }[]
      }
      return new Map(
        report.items
          .filter(({ severity }) => severity === 1)
          .map(({ range, message }) => [range.start.line + 1, message])
      )
    },
    close: async () => {
      const closed = once(server, 'close')
      server.kill()
      await closed
    }
  }
}
