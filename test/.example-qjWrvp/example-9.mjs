import { createPlan } from '@keystamp/core'

const plan = createPlan({ into: '/partitionKey', from: [{ field: '/device' }, { bucket: 'day', of: '/at' }] })
const keys = plan.keysFor({ device: 'abc-123' }, { between: ['2018-08-09T22:00:00Z', '2018-08-11T01:00:00Z'] })
console.log(keys.map(({ key }) => key).join(' ')) // abc-123-2018-08-09 abc-123-2018-08-10 abc-123-2018-08-11
