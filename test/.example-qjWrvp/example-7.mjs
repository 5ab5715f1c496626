import { createPlan } from '@keystamp/core'

const plan = createPlan({
  into: '/partitionKey',
  from: [{ field: '/date' }],
  suffix: { by: '/Vehicle-Identification-Number', count: 400 }
})
const { key } = plan.keyFor({ date: '2018-08-09', 'Vehicle-Identification-Number': '1FTFW1ET5DFC10312' })
console.log(key) // 2018-08-09.192
