import type { FileChange } from '@gateway/plugin-git/api'
import { compileBoot, compileBrief, compileTopic, MAX_TOPICS, TOPIC_ATOMS } from '../rules/compile.ts'
import { BOOT_BRIEF, briefPath, topicPath } from '../rules/paths.ts'
import type { AtomDoc } from './documents.ts'
import type { Refs } from './refs.ts'

/** Maximum number of atoms of a namespace that a brief reads, including those that come with a merge. */
const BRIEF_ATOMS = 200
/** Maximum number of namespaces compiled per merge; the others keep their compiled files. */
const MAX_NAMESPACES = 100
/**
 * Atoms removed by a merge are read in addition to the limit, so that a list is full without them; beyond this number it may be
 * short.
 */
const MAX_GAPS = 500
const BOOT_CHARACTERS = 6_000
/** Maximum number of atoms without a namespace in the boot brief. */
const BOOT_ATOMS = 40
const BOOT_NAMESPACES = 50

export interface Coming {
  /** Atoms that main will have. */
  readonly added: readonly AtomDoc[]
  readonly removed: ReadonlySet<string>
}

/** Compiles briefs and topic sections for main including the coming atoms. */
export async function compiledFiles(refs: Refs, namespaces: readonly string[], coming: Coming): Promise<readonly FileChange[]> {
  const files: FileChange[] = []
  for (const namespace of namespaces.slice(0, MAX_NAMESPACES)) files.push(...(await ofNamespace(refs, namespace, coming)))
  const memory = await newest(refs, { namespace: '' }, coming, BOOT_ATOMS)
  const boot = compileBoot(await spaces(refs, coming), memory, BOOT_CHARACTERS)
  return [...files, { path: BOOT_BRIEF, content: boot }]
}

async function ofNamespace(refs: Refs, namespace: string, coming: Coming): Promise<readonly FileChange[]> {
  const atoms = await newest(refs, { namespace }, coming, BRIEF_ATOMS)
  if (atoms.length === 0) return []
  const known = await refs.atoms.distinct('topic', { branch: 'main', namespace })
  const topics = [...new Set([...known, ...coming.added.filter((atom) => atom.namespace === namespace).map(({ topic }) => topic)])].sort()
  const sections: FileChange[] = []
  for (const topic of topics.slice(0, MAX_TOPICS)) {
    const own = await newest(refs, { namespace, topic }, coming, TOPIC_ATOMS)
    const path = topicPath(namespace, topic)
    if (own.length > 0) sections.push({ path, content: compileTopic(namespace, topic, own) })
  }
  return [{ path: briefPath(namespace), content: compileBrief(namespace, atoms, topics) }, ...sections]
}

async function newest(
  refs: Refs,
  where: { namespace: string; topic?: string },
  { added, removed }: Coming,
  limit: number,
): Promise<readonly AtomDoc[]> {
  const { items } = await refs.atoms.find({
    where: { branch: 'main', ...where },
    sort: { seq: -1 },
    limit: limit + Math.min(removed.size, MAX_GAPS),
  })
  const own = added.filter((atom) => atom.namespace === where.namespace && (where.topic === undefined || atom.topic === where.topic))
  const superseded = new Set(added.map(({ supersedes }) => supersedes))
  const all = [...own, ...items.filter(({ path }) => !removed.has(path))]
  const marked = all.map((atom) => (superseded.has(atom.path) ? { ...atom, superseded: true } : atom))
  return marked.sort((a, b) => (a.at === b.at ? b.seq - a.seq : a.at < b.at ? 1 : -1)).slice(0, limit)
}

async function spaces(refs: Refs, { added }: Coming) {
  const { items } = await refs.namespaces.find({ where: { branch: 'main' }, sort: { newestAt: -1 }, limit: BOOT_NAMESPACES })
  const known = new Map(
    items
      .filter(({ namespace }) => namespace !== '')
      .map((one) => [one.namespace, { namespace: one.namespace, atoms: one.session + one.handoff, newestAt: one.newestAt }]),
  )
  for (const { namespace, at } of added) {
    if (namespace === '') continue
    const one = known.get(namespace) ?? { namespace, atoms: 0, newestAt: '' }
    known.set(namespace, { namespace, atoms: one.atoms + 1, newestAt: at > one.newestAt ? at : one.newestAt })
  }
  return [...known.values()].filter(({ atoms }) => atoms > 0).sort((a, b) => (a.newestAt < b.newestAt ? 1 : -1))
}
