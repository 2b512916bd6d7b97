import type { Status, Version } from '../schema.ts'

const DECISIONS = ['publish', 'suspend', 'delist', 'yank'] as const
export type Decision = (typeof DECISIONS)[number]
type Change = Partial<Pick<Version, 'status' | 'yanked'>>

/**
 * States from which a decision can be taken, and its result. The last state in each list is the resulting one: deciding twice has
 * the effect of deciding once.
 */
const TABLE: { readonly [D in Decision]: { readonly from: readonly Status[]; readonly change: Change } } = {
  publish: { from: ['in_review', 'suspended', 'published'], change: { status: 'published' } },
  suspend: { from: ['published', 'suspended'], change: { status: 'suspended' } },
  delist: { from: ['in_review', 'published', 'suspended', 'delisted'], change: { status: 'delisted' } },
  yank: { from: ['published'], change: { yanked: true } },
}

/** Returns the changes to the version, or `undefined` if the decision cannot be taken. */
export function decided(decision: Decision, { status }: Pick<Version, 'status'>): Change | undefined {
  const { from, change } = TABLE[decision]
  return from.includes(status) ? change : undefined
}
