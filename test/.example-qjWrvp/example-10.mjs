import { createPlan } from '@keystamp/core'

const plan = createPlan({ into: '/partitionKey', from: [{ field: '/deviceId' }, { field: '/date' }] })
const decoded = plan.decode('abc-123-2018')
console.log(decoded.levels[0].parts.map(({ of, value }) => `${of} = ${value}`).join(', ')) // /deviceId = abc-123, /date = 2018
