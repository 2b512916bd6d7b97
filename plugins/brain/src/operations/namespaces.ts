import { anchorOf, briefPath } from '../rules/paths.ts'
import type { NamespaceView } from '../schema.ts'
import type { Refs } from './refs.ts'
import type { View } from './view.ts'

/** Maximum number of namespaces shown; those with the newest atoms first. */
const MAX_NAMESPACES = 500

export async function namespacesOf(refs: Refs, view: View): Promise<readonly NamespaceView[]> {
  const { items } = await refs.namespaces.find({ where: { branch: 'main' }, sort: { newestAt: -1 }, limit: MAX_NAMESPACES + 1 })
  const open = await refs.namespaces.find({ where: { branch: { ne: 'main' } }, limit: 10_000 })
  const working = new Set(open.items.filter((one) => one.session + one.handoff > 0).map(({ namespace }) => namespace))
  const counted = new Map(items.map((one) => [one.namespace, { session: one.session, handoff: one.handoff }]))
  const names = [...new Set([...counted.keys(), ...working])]
    .filter((name) => name !== '' && ((counted.get(name)?.session ?? 0) + (counted.get(name)?.handoff ?? 0) > 0 || working.has(name)))
    .slice(0, MAX_NAMESPACES)
  const [briefs, anchors] = await Promise.all([view.repo.entries(view.main, names.map(briefPath)), view.repo.tips(names.map(anchorOf))])
  return names.map((namespace, n) => ({
    namespace,
    hasBrief: briefs[n] !== undefined,
    hasWorking: working.has(namespace),
    atoms: counted.get(namespace) ?? { session: 0, handoff: 0 },
    ...(anchors[n] !== undefined && { lastAnchor: anchors[n] }),
  }))
}

/** Counts atoms on main, of all namespaces, including those that are not shown. */
export async function atomCounts({ namespaces }: Pick<Refs, 'namespaces'>) {
  const [all] = await namespaces.group({ where: { branch: 'main' }, by: ['branch'], sum: ['session', 'handoff', 'memory'] })
  const { session = 0, handoff = 0, memory = 0 } = all?.sums ?? {}
  return { total: session + handoff + memory, session, handoff, memory }
}

/** Counts atoms of all repos, on main. */
export async function memoryAtoms(refs: Refs): Promise<number> {
  return (await refs.namespaces.get('main '))?.memory ?? 0
}
