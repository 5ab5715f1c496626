import { createPlan } from '@keystamp/core'

const plan = createPlan({ into: '/partitionKey', from: [{ field: '/deviceId' }, { field: '/date' }] })
const result = plan.stamp({ deviceId: 'abc-123', date: 2018 })
console.log(result.record) // { deviceId: 'abc-123', date: 2018, partitionKey: 'abc-123-2018' }
