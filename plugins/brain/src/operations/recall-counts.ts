import type { AtomDoc } from './documents.ts'
import type { Caller, Refs } from './refs.ts'

/** A retrieval arm is rewarded only if it showed the atom within this time. */
const REWARDED_MS = 7 * 86_400_000
const MAX_ATOMS_COUNTED = 100

/** Records that a question was asked, and the atoms that answered it, per arm that found them. */
export async function countRecall(
  refs: Refs,
  caller: Caller,
  found: readonly { readonly atom: AtomDoc; readonly arm: string }[],
): Promise<void> {
  const at = caller.now().toISOString()
  const day = at.slice(0, 10)
  const answered = found.length > 0 ? 1 : 0
  await refs.atomically(async (tx) => {
    await refs.recallDays.in(tx).upsert({ day, asked: 1, answered }, { inc: { asked: 1, answered } })
    for (const { atom, arm } of found.slice(0, MAX_ATOMS_COUNTED)) {
      const { path, namespace } = atom
      await refs.recalls.in(tx).upsert({ path, namespace, count: 1, lastAt: at, arm }, { inc: { count: 1 }, set: { lastAt: at, arm } })
      await refs.atoms.in(tx).updateOne(atom.atomId, { inc: { recalls: 1 } })
    }
    for (const arm of new Set(found.map((one) => one.arm))) {
      const pulls = found.filter((one) => one.arm === arm).length
      await refs.arms.in(tx).upsert({ arm, pulls, rewards: 0, updatedAt: at }, { inc: { pulls }, set: { updatedAt: at } })
    }
  })
}

/** Rewards the arms that recently found an atom, when it is put to use: pinned, or replaced by a better one. */
export async function reward(refs: Refs, caller: Caller, path: string): Promise<void> {
  const recalled = await refs.recalls.get(path)
  const now = caller.now()
  if (!recalled || now.getTime() - Date.parse(recalled.lastAt) > REWARDED_MS) return
  await refs.arms.updateOne(recalled.arm, { inc: { rewards: 1 }, set: { updatedAt: now.toISOString() } })
}
