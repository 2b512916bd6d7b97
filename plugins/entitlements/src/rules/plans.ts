import type { Tenant } from '@gateway/sdk'

export type Plan = Tenant['plan']

export const FEATURES = ['hostedBrain', 'pluginTools', 'marketplacePublish', 'ideaToApp', 'schedules'] as const
export type Feature = (typeof FEATURES)[number]

/** Quantities of a plan: repos and seats at a time, the others per month (UTC). */
export const COUNTED = ['repos', 'seats'] as const
export const MONTHLY = ['offHoursMinutes', 'generationCredits'] as const
export const LIMITS = [...COUNTED, ...MONTHLY] as const
export type Counted = (typeof COUNTED)[number]
export type Monthly = (typeof MONTHLY)[number]
export type Limit = (typeof LIMITS)[number]

export interface PlanTerms {
  readonly features: Readonly<Record<Feature, boolean>>
  /** null means unlimited. */
  readonly limits: Readonly<Record<Limit, number | null>>
}

/** Terms of each plan. The settings may override them. */
export const PLANS: Readonly<Record<Plan, PlanTerms>> = {
  free: {
    features: { hostedBrain: false, pluginTools: false, marketplacePublish: false, ideaToApp: false, schedules: true },
    limits: { repos: 3, seats: 2, offHoursMinutes: 0, generationCredits: 10 },
  },
  solo: {
    features: { hostedBrain: true, pluginTools: true, marketplacePublish: true, ideaToApp: true, schedules: true },
    limits: { repos: 10, seats: 3, offHoursMinutes: 1_200, generationCredits: 100 },
  },
  team: {
    features: { hostedBrain: true, pluginTools: true, marketplacePublish: true, ideaToApp: true, schedules: true },
    limits: { repos: 50, seats: 25, offHoursMinutes: 12_000, generationCredits: 1_000 },
  },
  scale: {
    features: { hostedBrain: true, pluginTools: true, marketplacePublish: true, ideaToApp: true, schedules: true },
    limits: { repos: null, seats: null, offHoursMinutes: null, generationCredits: null },
  },
}

export interface TermsOverride {
  readonly features?: Readonly<Partial<Record<Feature, boolean>>>
  readonly limits?: Readonly<Partial<Record<Limit, number | null>>>
}

export function termsOf(plan: Plan, overrides: Readonly<Partial<Record<Plan, TermsOverride>>>): PlanTerms {
  const { features, limits } = overrides[plan] ?? {}
  return { features: { ...PLANS[plan].features, ...features }, limits: { ...PLANS[plan].limits, ...limits } }
}

/** The plans with a feature, smallest first. */
export const plansWith = (feature: Feature, overrides: Readonly<Partial<Record<Plan, TermsOverride>>>): readonly Plan[] =>
  (Object.keys(PLANS) as Plan[]).filter((plan) => termsOf(plan, overrides).features[feature])
