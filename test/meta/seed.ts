import fc from 'fast-check'

/**
 * Seed of all property tests: the same in every run, so that only a change of the code can cause a failure. `npm run
 * test:seeds` uses other seeds; a failure that it finds becomes an example test.
 */
const seed = Number(process.env.KEYSTAMP_SEED ?? 20_180_809)

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })
