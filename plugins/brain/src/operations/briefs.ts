import { compileBoot, compileBrief, compileTopic, TOPIC_ATOMS, within } from '../rules/compile.ts'
import type { Refs } from './refs.ts'
import type { View } from './view.ts'
import { newestAtoms } from './window.ts'

const BRIEF_ATOMS = 200
const BOOT_NAMESPACES = 50
const BOOT_MEMORY = 40

/** Returns the current brief of a namespace: the one compiled at a merge, with newer atoms. */
export async function briefOf(refs: Refs, view: Pick<View, 'visible'>, namespace: string): Promise<string> {
  const atoms = await newestAtoms(refs, view, BRIEF_ATOMS, { namespace })
  return atoms.length === 0 ? '' : compileBrief(namespace, atoms, await topicsOf(refs, view, namespace))
}

export async function topicsOf(refs: Refs, { visible }: Pick<View, 'visible'>, namespace?: string): Promise<readonly string[]> {
  if (namespace === undefined) {
    const { items } = await refs.namespaces.find({ where: { branch: 'main' }, sort: { newestAt: -1 }, limit: BOOT_NAMESPACES })
    const all = await Promise.all(items.map((one) => topicsOf(refs, { visible }, one.namespace)))
    return [...new Set(all.flat())].sort()
  }
  const found = await Promise.all(visible.map((branch) => refs.atoms.distinct('topic', { branch, namespace })))
  return [...new Set(found.flat())].sort()
}

export async function topicOf(refs: Refs, { visible }: Pick<View, 'visible'>, namespace: string | undefined, topic: string) {
  const where = namespace === undefined ? { topic } : { namespace, topic }
  const found = await Promise.all(
    visible.map((branch) => refs.atoms.find({ where: { branch, ...where }, sort: { seq: -1 }, limit: TOPIC_ATOMS })),
  )
  const atoms = found
    .flatMap(({ items }) => items)
    .sort((a, b) => b.seq - a.seq)
    .slice(0, TOPIC_ATOMS)
  return { atoms, text: compileTopic(namespace ?? 'all repos', topic, atoms) }
}

/** Returns the compact brief of the whole brain from the index alone, or '' if there is nothing. */
export async function bootBrief(refs: Refs, budget: number): Promise<string> {
  const { items } = await refs.namespaces.find({ where: { branch: 'main' }, sort: { newestAt: -1 }, limit: BOOT_NAMESPACES })
  const spaces = items.filter(({ namespace }) => namespace !== '').map((one) => ({ ...one, atoms: one.session + one.handoff }))
  const memory = (await refs.atoms.find({ where: { branch: 'main', namespace: '' }, sort: { seq: -1 }, limit: BOOT_MEMORY })).items
  return compileBoot(
    spaces.filter(({ atoms }) => atoms > 0),
    memory,
    budget,
  )
}

export const cutLines = (text: string, budget: number): string => (text.length <= budget ? text : within(text.split('\n'), budget))
