export { type Random, createRandom } from './random.ts'
export { type RedisHandle, type RedisMissing, startRedis } from './redis.ts'
export { type SensorRecord, type Telemetry, type VehicleRecord, createTelemetry } from './telemetry.ts'
