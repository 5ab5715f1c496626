import type { ConfigPath } from '../config-path.ts'
import type { CheckedService } from '../schema/service-schema.ts'

/** What sinks of one file demand of each other. */
export function checkSinks({ sinks }: CheckedService): readonly { readonly path: ConfigPath; readonly message: string }[] {
  return sinks.flatMap((sink, index) =>
    sinks.slice(0, index).flatMap((earlier) => {
      if (earlier.name === sink.name)
        return [{ path: ['sinks', index, 'name'], message: `is taken: another sink is called ${sink.name} too` }]
      if (earlier.kafka.maxInflatedBatchBytes !== sink.kafka.maxInflatedBatchBytes) {
        return [
          {
            path: ['sinks', index, 'kafka', 'maxInflatedBatch'],
            message: `must be the same as that of ${earlier.name}: the limit holds for the process`
          }
        ]
      }
      const isOneGroup = earlier.kafka.group === sink.kafka.group && earlier.kafka.brokers.join() === sink.kafka.brokers.join()
      if (!isOneGroup) return []
      return [
        {
          path: ['sinks', index, 'kafka', 'group'],
          message: `must be another than that of ${earlier.name}: they would take each other’s partitions`
        }
      ]
    })
  )
}
