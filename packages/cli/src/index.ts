export { EXIT_CODES } from './exit-codes.ts'
export { main } from './main.ts'
export { run } from './run.ts'
export type { Dependencies } from './dependencies.ts'
