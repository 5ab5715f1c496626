import fc from 'fast-check'

/**
 * What is left to chance is the same in every run of one commit, so that a change is judged by what it changed.
 * `npm run test:seeds` looks elsewhere; what it finds becomes an example that stays.
 */
const seed = Number(process.env.KEYSTAMP_SEED ?? 20_180_809)

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })
