import { DAY_MS } from '@gateway/sdk'
import type { Measured } from '../rules/health.ts'
import { briefPath } from '../rules/paths.ts'
import type { Caller, Refs } from './refs.ts'
import type { View } from './view.ts'

const FRESH_DAYS = 14
const WINDOW_DAYS = 30
/** Maximum number of namespaces and atoms examined: the newest. */
const NAMESPACES = 500
const ATOMS = 2_000
/** Number of contradictions at which this part scores zero. */
const HOPELESS = 10

export interface Vitals extends Measured {
  readonly details: {
    readonly namespaces: number
    readonly fresh: number
    readonly gaps: readonly string[]
    readonly contradictory: readonly { readonly slug: string; readonly repo?: string; readonly atoms: number }[]
    readonly asked: number
    readonly answered: number
  }
}

/** Computes the four parts of the health of a brain from its index. The README has the formula. */
export async function vitals(refs: Refs, caller: Caller, view: View): Promise<Vitals> {
  const now = caller.now().getTime()
  const daysAgo = (days: number): string => new Date(now - days * DAY_MS).toISOString()
  const spaces = (await refs.namespaces.find({ where: { branch: 'main' }, sort: { newestAt: -1 }, limit: NAMESPACES })).items.filter(
    (one) => one.session + one.handoff + one.memory > 0,
  )
  const repos = spaces.filter(({ namespace }) => namespace !== '')
  const fresh = spaces.filter(({ newestAt }) => newestAt >= daysAgo(FRESH_DAYS)).length
  const briefs = await view.repo.entries(
    view.main,
    repos.map(({ namespace }) => briefPath(namespace)),
  )
  const gaps = repos.filter(({ handoff }, n) => handoff === 0 && briefs[n] === undefined).map(({ namespace }) => namespace)
  const contradictory = await contradictions(refs, daysAgo(WINDOW_DAYS))
  const { asked, answered } = await recallsSince(refs, daysAgo(WINDOW_DAYS).slice(0, 10))
  return {
    freshness: spaces.length === 0 ? undefined : fresh / spaces.length,
    coverage: repos.length === 0 ? undefined : 1 - gaps.length / repos.length,
    contradictions: spaces.length === 0 ? undefined : 1 - Math.min(1, contradictory.length / HOPELESS),
    hitRate: asked === 0 ? undefined : answered / asked,
    details: { namespaces: repos.length, fresh, gaps: gaps.slice(0, 50), contradictory: contradictory.slice(0, 50), asked, answered },
  }
}

/** Finds handoffs and memories of one slug that contradict each other: different content, and none replaces the other. */
async function contradictions(refs: Refs, since: string) {
  const { items } = await refs.atoms.find({ where: { branch: 'main' }, sort: { seq: -1 }, limit: ATOMS })
  const standing = new Map<string, { slug: string; repo?: string; digests: Set<string> }>()
  for (const { kind, at, superseded, namespace, slug, digest } of items) {
    if (kind === 'session' || at < since || superseded) continue
    const key = `${kind} ${namespace} ${slug}`
    const one = standing.get(key) ?? { slug, ...(namespace !== '' && { repo: namespace }), digests: new Set<string>() }
    one.digests.add(digest)
    standing.set(key, one)
  }
  return [...standing.values()].filter(({ digests }) => digests.size > 1).map(({ digests, ...one }) => ({ ...one, atoms: digests.size }))
}

export async function recallsSince(refs: Refs, day: string): Promise<{ readonly asked: number; readonly answered: number }> {
  const { items } = await refs.recallDays.find({ where: { day: { gte: day } }, limit: 100 })
  return { asked: items.reduce((sum, one) => sum + one.asked, 0), answered: items.reduce((sum, one) => sum + one.answered, 0) }
}
