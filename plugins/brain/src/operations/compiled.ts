import type { FileChange } from '@gateway/plugin-git/api'
import { compileBoot, compileBrief, compileTopic, MAX_TOPICS, TOPIC_ATOMS } from '../rules/compile.ts'
import { MAIN } from '../rules/names.ts'
import { BOOT_BRIEF, briefPath, readAtomPath, topicFolder, topicIn, topicPath } from '../rules/paths.ts'
import { type AtomDoc, atomId } from './documents.ts'
import type { Refs } from './refs.ts'
import type { View } from './view.ts'

/** Maximum number of atoms of a namespace that a brief reads, including those that come with a merge. */
const BRIEF_ATOMS = 200
/** Maximum number of namespaces compiled per merge; the others keep their compiled files. */
const MAX_NAMESPACES = 100
/**
 * Atoms removed by a merge are read in addition to the limit, so that a list is full without them; beyond this number it may be
 * short.
 */
const MAX_GAPS = 500
/** Maximum number of sections of one namespace that are looked at. */
const MAX_LISTED = 10_000
/** Atoms that are read at once. */
const AT_ONCE = 1_000
const BOOT_CHARACTERS = 6_000
/** Maximum number of atoms without a namespace in the boot brief. */
const BOOT_ATOMS = 40
const BOOT_NAMESPACES = 50

export interface Coming {
  /** Atoms that main will have. */
  readonly added: readonly AtomDoc[]
  readonly removed: ReadonlySet<string>
}

/** Atoms that main gains and loses, and its state before. */
interface Scene extends Coming {
  readonly view: View
  /** Atoms of main that it loses. */
  readonly gone: readonly AtomDoc[]
  /** Paths of atoms that are no longer superseded, since main loses all that replace them. */
  readonly restored: ReadonlySet<string>
}

/** Compiles briefs and topic sections for main including the coming atoms, and removes those that are left without an atom. */
export async function compiledFiles(refs: Refs, view: View, namespaces: readonly string[], coming: Coming): Promise<readonly FileChange[]> {
  const gone = await goneAtoms(refs, coming.removed)
  const scene: Scene = { ...coming, view, gone, restored: await restoredBy(refs, gone, coming.removed) }
  const files: FileChange[] = []
  for (const namespace of namespaces.slice(0, MAX_NAMESPACES)) files.push(...(await ofNamespace(refs, namespace, scene)))
  const memory = await newest(refs, { namespace: '' }, scene, BOOT_ATOMS)
  const boot = compileBoot(await spaces(refs, scene), memory, BOOT_CHARACTERS)
  return [...files, { path: BOOT_BRIEF, content: boot }]
}

async function goneAtoms(refs: Refs, removed: ReadonlySet<string>): Promise<readonly AtomDoc[]> {
  const ids = [...removed].filter(readAtomPath).map((path) => atomId(MAIN, path))
  const gone: AtomDoc[] = []
  for (let at = 0; at < ids.length; at += AT_ONCE) gone.push(...(await refs.atoms.getMany(ids.slice(at, at + AT_ONCE))))
  return gone
}

async function restoredBy(refs: Refs, gone: readonly AtomDoc[], removed: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const restored = new Set<string>()
  for (const { supersedes } of gone) {
    if (supersedes === undefined || restored.has(supersedes)) continue
    const { items } = await refs.atoms.find({ where: { branch: MAIN, supersedes }, limit: MAX_GAPS })
    if (items.every(({ path }) => removed.has(path))) restored.add(supersedes)
  }
  return restored
}

async function ofNamespace(refs: Refs, namespace: string, scene: Scene): Promise<readonly FileChange[]> {
  const { view, added, gone } = scene
  const isOwn = (atom: AtomDoc): boolean => atom.namespace === namespace
  const stored = new Set((await view.repo.list(view.main, topicFolder(namespace), MAX_LISTED)).flatMap((path) => topicIn(path) ?? []))
  const known = await refs.atoms.distinct('topic', { branch: MAIN, namespace })
  const all = new Set([...known, ...added.filter(isOwn).map(({ topic }) => topic)])
  const losing = new Set(gone.filter(isOwn).map(({ topic }) => topic))
  const newestOf = (topic: string) => newest(refs, { namespace, topic }, scene, TOPIC_ATOMS)
  for (const topic of losing) if ((await newestOf(topic)).length === 0) all.delete(topic)
  const topics = [...all].sort()
  const files: FileChange[] = [...stored].filter((topic) => !all.has(topic)).map((topic) => removal(topicPath(namespace, topic)))
  // A section beyond the limit stays as an earlier merge left it, unless it loses an atom.
  const compiled = topics.filter((topic, n) => n < MAX_TOPICS || (losing.has(topic) && stored.has(topic)))
  for (const topic of compiled) {
    const content = compileTopic(namespace, topic, await newestOf(topic))
    files.push({ path: topicPath(namespace, topic), content })
  }
  const atoms = await newest(refs, { namespace }, scene, BRIEF_ATOMS)
  const path = briefPath(namespace)
  if (atoms.length > 0) return [{ path, content: compileBrief(namespace, atoms, topics) }, ...files]
  const [brief] = await view.repo.entries(view.main, [path])
  return brief === undefined ? files : [removal(path), ...files]
}

const removal = (path: string): FileChange => ({ path, removed: true })

async function newest(
  refs: Refs,
  where: { namespace: string; topic?: string },
  { added, removed, gone, restored }: Scene,
  limit: number,
): Promise<readonly AtomDoc[]> {
  const isAsked = (atom: AtomDoc): boolean =>
    atom.namespace === where.namespace && (where.topic === undefined || atom.topic === where.topic)
  const { items } = await refs.atoms.find({
    where: { branch: MAIN, ...where },
    sort: { seq: -1 },
    limit: limit + Math.min(gone.filter(isAsked).length, MAX_GAPS),
  })
  const superseded = new Set(added.map(({ supersedes }) => supersedes))
  const all = [...added.filter(isAsked), ...items.filter(({ path }) => !removed.has(path))]
  const marked = all.map((atom) => {
    if (superseded.has(atom.path)) return { ...atom, superseded: true }
    return restored.has(atom.path) ? { ...atom, superseded: false } : atom
  })
  return marked.sort((a, b) => (a.at === b.at ? b.seq - a.seq : a.at < b.at ? 1 : -1)).slice(0, limit)
}

async function spaces(refs: Refs, { added, gone }: Scene) {
  const { items } = await refs.namespaces.find({ where: { branch: MAIN }, sort: { newestAt: -1 }, limit: BOOT_NAMESPACES })
  const known = new Map(
    items
      .filter(({ namespace }) => namespace !== '')
      .map((one) => [one.namespace, { namespace: one.namespace, atoms: one.session + one.handoff, newestAt: one.newestAt }]),
  )
  for (const { namespace } of gone) {
    const one = known.get(namespace)
    if (one) known.set(namespace, { ...one, atoms: one.atoms - 1 })
  }
  for (const { namespace, at } of added) {
    if (namespace === '') continue
    const one = known.get(namespace) ?? { namespace, atoms: 0, newestAt: '' }
    known.set(namespace, { namespace, atoms: one.atoms + 1, newestAt: at > one.newestAt ? at : one.newestAt })
  }
  return [...known.values()].filter(({ atoms }) => atoms > 0).sort((a, b) => (a.newestAt < b.newestAt ? 1 : -1))
}
