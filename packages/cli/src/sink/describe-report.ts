import type { CheckReport, Finding, Sample } from '@keystamp/connector'

/** What a check has shown, a line each. */
export function describeReport({ ok, sinks }: CheckReport): string {
  const lines = sinks.flatMap(({ name, findings, samples }) => [name, ...findings.map(findingLine), ...samples.flatMap(sampleLines), ''])
  return escapeControls([...lines, ok ? 'All is well: the sinks can be started.' : 'Not all is well: see what FAILED.', ''].join('\n'))
}

const STATES: Readonly<Record<Finding['state'], string>> = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' }

function findingLine({ state, message }: Finding): string {
  return `  ${STATES[state]}  ${message}`
}

function sampleLines({ topic, partition, offset, isNext, becomes, document, value }: Sample): readonly string[] {
  const line = `  record   ${topic}, partition ${partition}, offset ${offset} (${isNext ? 'next' : 'already read'}): ${outcomeText(becomes)}`
  const shown = document ?? value
  return shown === undefined ? [line] : [line, `           ${shown.replaceAll('\n', String.raw`\n`)}`]
}

/** Control characters of a record must not reach the terminal: they can change its title, its contents and what is typed into it. */
export function escapeControls(text: string): string {
  return text.replaceAll(CONTROLS, (control) => String.raw`\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

// C0 but for the line feed, DEL and C1, what separates lines, and what turns the direction of text
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

function outcomeText(becomes: Sample['becomes']): string {
  switch (becomes.kind) {
    case 'stored': {
      const { operation, container, key, id } = becomes
      return `${operation} in ${container}, key ${JSON.stringify(key.length === 1 ? key[0] : key)}, id ${JSON.stringify(id ?? null)}`
    }
    case 'ignored':
      return 'ignored'
    case 'rejected':
      return `rejected, ${becomes.code}: ${becomes.message}`
  }
}
