import { NotFound } from '@gateway/sdk'
import { MAIN } from '../rules/names.ts'
import { requireHere } from './elsewhere.ts'
import type { Caller, Refs } from './refs.ts'
import { viewInSequence } from './view.ts'
import { wordsOf } from './words.ts'

/**
 * Drops the whole index and rebuilds it for main and the current branch; other branches follow when they are viewed. An index of
 * another repository is replaced only with `acceptOther`; it is empty afterwards if there is no repository here.
 */
export function reindex(
  refs: Refs,
  caller: Caller,
  { acceptOther }: { acceptOther: boolean },
): Promise<{ readonly atoms: number; readonly commit?: string }> {
  return refs.sequencer.run(caller.tenantId, async () => {
    const repo = refs.git.brain(caller.tenantId)
    if (!acceptOther) await requireHere(refs, repo)
    const isHere = await repo.exists()
    if (!isHere && (await refs.branches.get(MAIN)) === undefined) throw NotFound({ what: 'brain', id: caller.tenantId })
    // The branches go first: after an interruption the next call rebuilds the rest.
    for (const collection of [refs.branches, refs.atoms, refs.code, refs.namespaces, refs.pins, refs.stashes])
      await (collection as typeof refs.branches).deleteMany({})
    await wordsOf(refs).clear()
    if (!isHere) return { atoms: 0 }
    const view = await viewInSequence(refs, repo, caller)
    if (!view) throw NotFound({ what: 'brain', id: caller.tenantId })
    return { atoms: await refs.atoms.count({}), commit: view.main }
  })
}
