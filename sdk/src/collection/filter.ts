import type { Element, FieldOf, Operand } from './fields.ts'

/** Conditions on one field; all given ones must hold. */
export interface Condition<T> {
  readonly eq?: Operand<T> | null
  readonly ne?: Operand<T> | null
  readonly in?: readonly (Operand<T> | null)[]
  readonly nin?: readonly (Operand<T> | null)[]
  readonly lt?: Operand<T>
  readonly lte?: Operand<T>
  readonly gt?: Operand<T>
  readonly gte?: Operand<T>
  readonly exists?: boolean
  /** Literal prefix of a string. */
  readonly prefix?: string
  /**
   * Literal substring of a string, case-insensitive for ASCII letters. It scans the documents that the other conditions leave.
   */
  readonly contains?: string
  /** An array field contains this element. */
  readonly has?: Element<T>
}

/** Selects documents: a value or a condition per field, combined with `and`, `or`, `not`. All given ones must hold. */
export type Filter<Doc> = {
  readonly [K in FieldOf<Doc>]?: Operand<NonNullable<Doc[K]>> | null | Condition<NonNullable<Doc[K]>>
} & {
  readonly and?: readonly Filter<Doc>[]
  readonly or?: readonly Filter<Doc>[]
  readonly not?: Filter<Doc>
}
