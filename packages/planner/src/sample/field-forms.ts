import { parseInstant } from '@keystamp/core/internal'
import type { PersonalData, TimeForm } from './field-summary.ts'

/** Returns the form of time that all values have; null if a value is not a time, or if the forms differ. */
export function timeFormOf(name: string, values: readonly unknown[]): TimeForm | null {
  if (values.length === 0) return null
  if (values.every((value) => typeof value === 'string' && parseInstant(value) !== undefined)) return 'iso'
  if (!values.every((value) => typeof value === 'number' && value >= FIRST_INSTANT)) return null
  const forms = new Set(values.map((value) => epochOf(value as number)))
  const [form] = forms
  // a number of ten digits may also be no time, so the name of the field must say it
  return forms.size > 1 || (form === 'seconds' && !TIME_NAME.test(name)) ? null : form
}

/** Converts a time to milliseconds since 1970; NaN for any other value. */
export function instantOf(value: unknown): number {
  if (typeof value === 'string') return parseInstant(value) ?? Number.NaN
  if (typeof value !== 'number' && typeof value !== 'bigint') return Number.NaN
  const number = Number(value)
  const epoch = epochOf(number)
  if (epoch === null) return Number.NaN
  return epoch === 'seconds' ? number * 1000 : epoch === 'milliseconds' ? number : number / 1000
}

/** Returns the kind of personal data that the name of a field or the form of its values suggests; null for none. */
export function personalDataOf(name: string, values: readonly unknown[]): PersonalData | null {
  const byName = PERSONAL_NAMES.find(([, pattern]) => pattern.test(name))
  if (byName !== undefined) return byName[0]
  const texts = values.filter((value) => typeof value === 'string' && value !== '') as string[]
  if (texts.length === 0) return null
  // a search for one character costs less than the pattern, which reads most of a long text
  const share = (sign: string, pattern: RegExp) =>
    texts.filter((text) => text.includes(sign) && pattern.test(text)).length / texts.length
  return PERSONAL_VALUES.find(([, sign, pattern]) => share(sign, pattern) >= 0.5)?.[0] ?? null
}

// 2000 and 2100 in seconds
const FIRST_INSTANT = 946_684_800
const LAST_INSTANT = 4_102_444_800
const TIME_NAME = /time|date|stamp|created|updated|modified|occurred|when|(?:^|[a-z_])(?:at|ts)$/i

function epochOf(value: number): Exclude<TimeForm, 'iso'> | null {
  if (value >= FIRST_INSTANT && value <= LAST_INSTANT) return 'seconds'
  if (value >= FIRST_INSTANT * 1e3 && value <= LAST_INSTANT * 1e3) return 'milliseconds'
  return value >= FIRST_INSTANT * 1e6 && value <= LAST_INSTANT * 1e6 ? 'microseconds' : null
}

const PERSONAL_NAMES: readonly (readonly [PersonalData, RegExp])[] = [
  ['e-mail', /e-?mail/i],
  ['phone', /phone|mobile_?(?:no|num)|msisdn/i],
  ['identity number', /(?:^|_)ssn|ssn$|passport|social_?security|national_?id|tax_?id|iban|card_?num/i],
  ['name', /(?:first|last|full|given|family|middle|maiden|customer|person|contact|driver)_?name|surname/i],
  ['address', /street|address(?!_?id)|postal_?code|zip_?code|birth_?da|date_?of_?birth/i]
]

/** Kind of personal data, a character that all its values have, and their form. */
const PERSONAL_VALUES: readonly (readonly [PersonalData, string, RegExp])[] = [
  ['e-mail', '@', /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i],
  ['identity number', '-', /^\d{3}-\d{2}-\d{4}$/],
  ['phone', '', /^\+\d[\d ()./-]{6,}$|^\(\d{3}\) ?\d{3}-\d{4}$/]
]
