import type { ArrayField, Element, FieldOf, NumericField, Operand, Settable } from './fields.ts'

/** Changes to a document. A field may occur in one of the members only. */
export interface Update<Doc> {
  /** `undefined` leaves the field unchanged; use `unset` to remove it. */
  readonly set?: { readonly [K in FieldOf<Doc>]?: Settable<NonNullable<Doc[K]>> | undefined }
  readonly unset?: readonly FieldOf<Doc>[]
  readonly inc?: { readonly [K in NumericField<Doc>]?: number }
  readonly min?: { readonly [K in FieldOf<Doc>]?: Operand<NonNullable<Doc[K]>> }
  readonly max?: { readonly [K in FieldOf<Doc>]?: Operand<NonNullable<Doc[K]>> }
  readonly push?: { readonly [K in ArrayField<Doc>]?: Element<NonNullable<Doc[K]>> }
  readonly addToSet?: { readonly [K in ArrayField<Doc>]?: Element<NonNullable<Doc[K]>> }
  readonly pull?: { readonly [K in ArrayField<Doc>]?: Element<NonNullable<Doc[K]>> }
}
