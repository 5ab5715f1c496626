import { checkCoverage } from './check-coverage.ts'

// in two files, so that they run at the same time
checkCoverage((index) => index % 2 === 0)
