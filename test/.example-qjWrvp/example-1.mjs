import { createPlan } from '@keystamp/core'
const plan = createPlan({ into: '/partitionKey', from: [{ field: '/date' }], suffix: { by: '/vin', count: 400 } })
console.log(plan.keyFor({ date: '2018-08-09', vin: '1FTFW1ET5DFC10312' }).key) // 2018-08-09.192
console.log(plan.keysFor({ date: '2018-08-09' }).length) // 400
