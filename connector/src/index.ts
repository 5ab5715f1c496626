export type { ServiceSettings, SinkSettings } from './config/settings.ts'
export { type SinkCode, SINK_CODES } from './rejects/sink-codes.ts'
