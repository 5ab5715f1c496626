import { checkCoverage } from './check-coverage.ts'

checkCoverage((index) => index % 2 === 1)
