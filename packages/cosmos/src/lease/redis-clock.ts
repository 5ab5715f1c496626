import type { Redis } from 'ioredis'

/** Bottleneck tells Redis the time of whoever asks: one whose clock is behind would wait for that long at each slot. Its scripts look at Redis's clock instead. */
export function withRedisClock(client: Redis): Redis {
  const define = client.defineCommand.bind(client)
  client.defineCommand = (name, definition) => define(name, { ...definition, lua: definition.lua.replace(TOLD_TIME, OWN_TIME) })
  return client
}

const TOLD_TIME = 'local now = tonumber(ARGV[1])'
const OWN_TIME = `local time = redis.call('TIME')\nlocal now = math.floor(time[1] * 1000 + time[2] / 1000)`
