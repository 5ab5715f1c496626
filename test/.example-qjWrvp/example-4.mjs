import { createPlan } from '@keystamp/core'

const plan = createPlan({ into: '/partitionKey', from: [{ field: '/deviceId' }, { field: '/site' }, { field: '/date', type: 'date' }] })
const { key } = plan.keyFor({ deviceId: 'abc-123', site: 'north-east', date: '2018-08-09' })
console.log(key) // abc-123-north~2Deast-2018-08-09
const [{ parts }] = plan.decode(key).levels
console.log(parts.map(({ value }) => value).join(' + ')) // abc-123 + north-east + 2018-08-09
