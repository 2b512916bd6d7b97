import { NotFound } from '@gateway/sdk'
import type { Caller, Refs } from './refs.ts'
import { viewInSequence } from './view.ts'
import { wordsOf } from './words.ts'

/** Drops the whole index and rebuilds it for main and the current branch; other branches follow when they are viewed. */
export function reindex(refs: Refs, caller: Caller): Promise<{ readonly atoms: number; readonly commit: string }> {
  return refs.sequencer.run(caller.tenantId, async () => {
    const repo = refs.git.brain(caller.tenantId)
    if (!(await repo.exists())) throw NotFound({ what: 'brain', id: caller.tenantId })
    // The branches go first: after an interruption the next call rebuilds the rest.
    for (const collection of [refs.branches, refs.atoms, refs.code, refs.namespaces, refs.pins, refs.stashes])
      await (collection as typeof refs.branches).deleteMany({})
    await wordsOf(refs).clear()
    const view = await viewInSequence(refs, repo, caller)
    if (!view) throw NotFound({ what: 'brain', id: caller.tenantId })
    return { atoms: await refs.atoms.count({}), commit: view.main }
  })
}
