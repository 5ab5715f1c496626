import type { Redis } from 'ioredis'

/**
 * Since version 7 Redis writes `ERR` before what a script reports. Bottleneck knows two reports, by their whole text: that Redis has forgotten the
 * limiter, and that it has forgotten who asks. It begins anew then; any other error ends its job, and the process.
 */
export function withPlainReports(client: Redis): Redis {
  const send = client.sendCommand.bind(client)
  client.sendCommand = (command, stream) => {
    const { reject } = command
    command.reject = (error) => reject(plain(error))
    return send(command, stream)
  }
  return client
}

const REPORT = /^ERR (SETTINGS_KEY_NOT_FOUND|UNKNOWN_CLIENT)\b/

function plain(error: Error): Error {
  const report = REPORT.exec(error.message)?.[1]
  return report === undefined ? error : new Error(report, { cause: error })
}
