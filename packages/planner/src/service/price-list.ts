/** List prices of one currency and region. */
export interface PriceList {
  /** Date on which the prices were read, such as `2026-05-01`. */
  readonly listDate: string
  readonly currency: string
  readonly region: string
  readonly hoursPerMonth: number
  /** Price of 100 RU/s per hour, in each region of an account with one write region. */
  readonly manualPer100RuHour: number
  readonly autoscalePer100RuHour: number
  /** Price of 100 RU/s per hour, in each region of an account that writes in several regions. */
  readonly multiWriteManualPer100RuHour: number
  readonly multiWriteAutoscalePer100RuHour: number
  readonly serverlessPerMillionRu: number
  /** Price of a GB (data and index) per month, in each region. */
  readonly storagePerGbMonth: number
  /** Discounts of reserved capacity on the manual price, 0 to 1. */
  readonly reservedOneYear: number
  readonly reservedThreeYears: number
}

/** Microsoft's list prices in the United States, read in May 2026. The planner never reads prices from the network. */
export const LIST_PRICES: PriceList = {
  listDate: '2026-05-01',
  currency: 'USD',
  region: 'United States',
  hoursPerMonth: 730,
  manualPer100RuHour: 0.008,
  autoscalePer100RuHour: 0.012,
  multiWriteManualPer100RuHour: 0.016,
  multiWriteAutoscalePer100RuHour: 0.016,
  serverlessPerMillionRu: 0.25,
  storagePerGbMonth: 0.25,
  reservedOneYear: 0.2,
  reservedThreeYears: 0.3
}
