import type { Status, Version } from '../schema.ts'

const DECISIONS = ['publish', 'suspend', 'delist', 'yank'] as const
export type Decision = (typeof DECISIONS)[number]
type Change = Partial<Pick<Version, 'status' | 'yanked'>>

/** From which states a decision is taken, and what it makes of them. The last one in each list is where it leads: deciding twice is once. */
const TABLE: { readonly [D in Decision]: { readonly from: readonly Status[]; readonly change: Change } } = {
  publish: { from: ['in_review', 'suspended', 'published'], change: { status: 'published' } },
  suspend: { from: ['published', 'suspended'], change: { status: 'suspended' } },
  delist: { from: ['in_review', 'published', 'suspended', 'delisted'], change: { status: 'delisted' } },
  yank: { from: ['published'], change: { yanked: true } },
}

/** What changes in the version, or `undefined` where the decision cannot be taken. */
export function decided(decision: Decision, { status }: Pick<Version, 'status'>): Change | undefined {
  const { from, change } = TABLE[decision]
  return from.includes(status) ? change : undefined
}
