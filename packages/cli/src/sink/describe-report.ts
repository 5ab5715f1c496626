import type { CheckReport, Finding, Sample } from '@keystamp/connector'

/** What a check has shown, a line each. */
export function describeReport({ ok, sinks }: CheckReport): string {
  const lines = sinks.flatMap(({ name, findings, samples }) => [name, ...findings.map(findingLine), ...samples.flatMap(sampleLines), ''])
  return [...lines, ok ? 'All is well: the sinks can be started.' : 'Not all is well: see what FAILED.', ''].join('\n')
}

const STATES: Readonly<Record<Finding['state'], string>> = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' }

function findingLine({ state, message }: Finding): string {
  return `  ${STATES[state]}  ${message}`
}

function sampleLines({ topic, partition, offset, becomes, value }: Sample): readonly string[] {
  const line = `  record   ${topic}, partition ${partition}, offset ${offset}: ${outcomeText(becomes)}`
  return value === undefined ? [line] : [line, `           ${value}`]
}

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
