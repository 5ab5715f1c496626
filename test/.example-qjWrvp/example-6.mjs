import { createPlan } from '@keystamp/core'

try {
  createPlan({ into: 'partitionKey', form: [], suffix: { by: '/vin', count: 0 } })
} catch (error) {
  console.log(error.mistakes.map(({ path }) => path).join(' ')) // /form /into /from /suffix/count
  console.log(error.message.split('\n')[1].trim()) // /form is not known; did you mean "from"?
}
