/** A schema whose names are resolved: records refer to themselves where the schema does. */
export type AvroType =
  | { readonly kind: 'null' | 'boolean' | 'int' | 'long' | 'float' | 'double' | 'string' | 'bytes'; readonly logical: Logical | undefined }
  | { readonly kind: 'fixed'; readonly size: number; readonly logical: Logical | undefined }
  | { readonly kind: 'enum'; readonly symbols: readonly string[] }
  | { readonly kind: 'array'; readonly items: AvroType }
  | { readonly kind: 'map'; readonly values: AvroType }
  | { readonly kind: 'union'; readonly branches: readonly AvroType[] }
  | AvroRecord

export interface AvroRecord {
  readonly kind: 'record'
  readonly fields: readonly AvroField[]
}

export interface AvroField {
  readonly name: string
  readonly type: AvroType
}

/** What a value means beyond its bytes. */
export type Logical = { readonly name: TimeName | 'uuid' | 'duration' } | { readonly name: 'decimal'; readonly scale: number }

export type TimeName =
  | 'date'
  | 'time-millis'
  | 'time-micros'
  | 'timestamp-millis'
  | 'timestamp-micros'
  | 'timestamp-nanos'
  | 'local-timestamp-millis'
  | 'local-timestamp-micros'
  | 'local-timestamp-nanos'
