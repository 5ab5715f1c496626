import { createPlan } from '@keystamp/core'

const [warning] = createPlan({ into: '/partitionKey', from: [{ field: '/date' }] }).warnings
console.log(warning.code, warning.path) // DATE_ONLY /from
