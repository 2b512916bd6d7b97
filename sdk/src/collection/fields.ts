import type { StoreTime } from './store-time.ts'

/** Types of field values for filters and updates; not part of the contract by themselves. */

export type FieldOf<Doc> = keyof Doc & string
export type NumericField<Doc> = { [K in FieldOf<Doc>]: NonNullable<Doc[K]> extends number ? K : never }[FieldOf<Doc>]
export type ArrayField<Doc> = { [K in FieldOf<Doc>]: NonNullable<Doc[K]> extends readonly unknown[] ? K : never }[FieldOf<Doc>]

export type Scalar = string | number | boolean
/** Operand of a comparison; a field with times also accepts the store's time. */
export type Operand<T> = Extract<T, Scalar> | (Extract<T, string> extends never ? never : StoreTime)
export type Settable<T> = T | (Extract<T, string> extends never ? never : StoreTime)
export type Element<T> = T extends readonly (infer E)[] ? E : never
