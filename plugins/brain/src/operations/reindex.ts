import { NotFound } from '@gateway/sdk'
import type { Caller, Refs } from './refs.ts'
import { viewInLane } from './view.ts'
import { wordsOf } from './words.ts'

/** Drop all that the index has, and make that of main and of the current branch anew; others follow when they are looked at. */
export function reindex(refs: Refs, caller: Caller): Promise<{ readonly atoms: number; readonly commit: string }> {
  return refs.lanes.run(caller.tenantId, async () => {
    const repo = refs.git.brain(caller.tenantId)
    if (!(await repo.exists())) throw NotFound({ what: 'brain', id: caller.tenantId })
    // The branches first: whatever is cut short here is made anew by the next call.
    for (const collection of [refs.branches, refs.atoms, refs.code, refs.namespaces, refs.pins, refs.stashes])
      await (collection as typeof refs.branches).deleteMany({})
    await wordsOf(refs).clear()
    const view = await viewInLane(refs, repo)
    if (!view) throw NotFound({ what: 'brain', id: caller.tenantId })
    return { atoms: await refs.atoms.count({}), commit: view.main }
  })
}
