import { createPlan } from '@keystamp/core'

const plan = createPlan({ into: '/partitionKey', from: [{ field: '/date' }], suffix: { by: 'random', count: 400 } })
const keys = plan.keysFor({ date: '2018-08-09' })
console.log(keys.length, keys[0].key, keys[399].key) // 400 2018-08-09.1 2018-08-09.400
