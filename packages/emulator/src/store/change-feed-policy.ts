import { isObject, refuseUnless, ServiceError } from '../service-error.ts'

/** `changeFeedPolicy` of a container: how many minutes the change feed of all versions and deletes goes back. */
export interface ChangeFeedPolicy {
  /** 0 turns the change feed of all versions and deletes off. */
  readonly retentionDuration: number
}

/** Reads `changeFeedPolicy` of a container. */
export function parseChangeFeedPolicy(policy: unknown): ChangeFeedPolicy | undefined {
  if (policy === undefined || policy === null) return undefined
  refuseUnless(isObject(policy), "The property 'changeFeedPolicy' must be an object.")
  const minutes = policy['retentionDuration'] ?? 0
  const isValid = typeof minutes === 'number' && Number.isInteger(minutes) && minutes >= 0 && minutes <= MAX_MINUTES
  refuseUnless(
    isValid,
    `The property 'changeFeedPolicy.retentionDuration' must be a whole number of minutes from 0 to ${MAX_MINUTES}.`
  )
  return { ...policy, retentionDuration: minutes }
}

// the longest retention of a continuous backup is 30 days
const MAX_MINUTES = 30 * 24 * 60

/** `previousImageRetentionPolicy` of a container: which changes are returned with the former version of the item. */
export interface PreviousImagePolicy {
  /** Former way to set the mode. */
  readonly mode?: number
  readonly supportedFeatures?: { readonly allVersionsAndDeletes?: { readonly mode?: number } }
}

/** Reads `previousImageRetentionPolicy` of a container; the settings of other features are kept without effect. */
export function parsePreviousImagePolicy(policy: unknown): PreviousImagePolicy | undefined {
  if (policy === undefined || policy === null) return undefined
  refuseUnless(isObject(policy), "The property 'previousImageRetentionPolicy' must be an object.")
  refuseUnlessMode(policy['mode'], 'mode')
  const features = policy['supportedFeatures'] ?? {}
  refuseUnless(isObject(features), "The property 'previousImageRetentionPolicy.supportedFeatures' must be an object.")
  const feature = features['allVersionsAndDeletes'] ?? {}
  refuseUnless(isObject(feature), `The property 'previousImageRetentionPolicy.${FEATURE}' must be an object.`)
  refuseUnlessMode(feature['mode'], `${FEATURE}.mode`)
  const paths = feature['includedPaths']
  if (Array.isArray(paths) && paths.length > 0)
    throw new ServiceError(
      501,
      `The property 'previousImageRetentionPolicy.${FEATURE}.includedPaths' is not supported by this emulator: it keeps whole documents.`
    )
  return policy
}

const FEATURE = 'supportedFeatures.allVersionsAndDeletes'

function refuseUnlessMode(mode: unknown, name: string): void {
  const isMode = mode === undefined || mode === null || [0, FOR_REPLACES, FOR_DELETES, 3].includes(mode as number)
  refuseUnless(
    isMode,
    `The property 'previousImageRetentionPolicy.${name}' must be 0 (none), 1 (replaces), 2 (deletes) or 3 (all).`
  )
}

// bits of the mode
const FOR_REPLACES = 1
const FOR_DELETES = 2

/** Kinds of changes that are returned with the former version of the item. */
export interface PreviousImages {
  readonly ofReplaces: boolean
  readonly ofDeletes: boolean
}

/** The kinds of changes for which a container keeps former versions; by default none. */
export function previousImagesOf(policy: PreviousImagePolicy | undefined): PreviousImages {
  const mode = policy?.supportedFeatures?.allVersionsAndDeletes?.mode ?? policy?.mode ?? 0
  return { ofReplaces: (mode & FOR_REPLACES) !== 0, ofDeletes: (mode & FOR_DELETES) !== 0 }
}
