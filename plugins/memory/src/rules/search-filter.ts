export interface Must {
  /** All of these labels. */
  readonly labels: readonly string[]
  /** All of these words, in its own text. */
  readonly words?: readonly string[]
  readonly since?: string | undefined
  /** At least one of these labels. */
  readonly anyOf?: readonly string[] | undefined
}

const has = (label: string) => ({ labels: { has: label } })

export function filterOf({ labels, words = [], since, anyOf }: Must): object | undefined {
  const conditions = [
    ...labels.map(has),
    ...words.map((word) => ({ words: { has: word } })),
    ...(anyOf === undefined ? [] : [anyOf.length === 1 ? has(anyOf[0] as string) : { or: anyOf.map(has) }]),
    ...(since === undefined ? [] : [{ createdAt: { gte: since } }]),
  ]
  return conditions.length === 0 ? undefined : { and: conditions }
}
