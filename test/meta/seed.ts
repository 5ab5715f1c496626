import fc from 'fast-check'

/**
 * Seed of all property tests: the same in every run, so that a failure is caused by a change of the code.
 * `npm run test:seeds` uses other seeds; a failure that it finds becomes an example test.
 */
const seed = Number(process.env.KEYSTAMP_SEED ?? 20_180_809)

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })
