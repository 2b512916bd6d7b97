import type { AtomDoc } from './documents.ts'
import type { Refs } from './refs.ts'
import { resolveRef } from './resolve.ts'
import type { View } from './view.ts'

const MAX_COMMITS_READ_FOR_REF = 2_000
const AT_ONCE = 200

/** Returns atoms that name a commit of the code, newest first. */
export async function atomsOfCode(refs: Refs, { visible }: View, prefix: string, limit: number): Promise<readonly AtomDoc[]> {
  // A full id also finds atoms recorded with a shorter one.
  const shorter = Array.from({ length: prefix.length - 7 }, (_, n) => prefix.slice(0, 7 + n))
  const found = await refs.code.find({ where: { sha: { prefix } }, limit: 1_000 })
  const abbreviated = shorter.length === 0 ? [] : (await refs.code.find({ where: { sha: { in: shorter } }, limit: 1_000 })).items
  const ids = [...found.items, ...abbreviated].filter(({ branch }) => visible.includes(branch)).map(({ atomId }) => atomId)
  return newestFirst(await refs.atoms.getMany([...new Set(ids)].slice(0, 1_000))).slice(0, limit)
}

/** Returns atoms that name commits of the code, among those that the commits of a ref added. */
export async function codeOf(refs: Refs, view: View, ref: string, limit: number): Promise<readonly AtomDoc[]> {
  const commits = await view.repo.log({ to: await resolveRef(view, ref, 'ref'), limit: MAX_COMMITS_READ_FOR_REF })
  const found: AtomDoc[] = []
  for (let at = 0; at < commits.length && found.length < limit; at += AT_ONCE) {
    const shas = commits.slice(at, at + AT_ONCE).map(({ sha }) => sha)
    const { items } = await refs.atoms.find({ where: { commit: { in: shas } }, limit: 1_000 })
    const order = new Map(shas.map((sha, n) => [sha, n]))
    found.push(
      ...items.filter(({ codeShas }) => codeShas.length > 0).sort((a, b) => (order.get(a.commit) ?? 0) - (order.get(b.commit) ?? 0)),
    )
  }
  return distinct(found).slice(0, limit)
}

const newestFirst = (atoms: readonly AtomDoc[]): readonly AtomDoc[] => distinct([...atoms].sort((a, b) => b.seq - a.seq))

function distinct(atoms: readonly AtomDoc[]): readonly AtomDoc[] {
  const seen = new Set<string>()
  return atoms.filter(({ path }) => !seen.has(path) && seen.add(path))
}
