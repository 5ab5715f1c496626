import { checkCoverage } from './check-coverage.ts'

// the populations are divided into two files, which run at the same time
checkCoverage((index) => index % 2 === 0)
