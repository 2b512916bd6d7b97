import { BadRequest, defined, principalName } from '@gateway/sdk'
import type { ManyCommitted } from '../api.ts'
import { MAIN } from '../rules/names.ts'
import { pinPath } from '../rules/paths.ts'
import type { AtomDraft, AtomView } from '../schema.ts'
import { change, type Decision } from './change.ts'
import { viewOf } from './documents.ts'
import { checkDraft, type Planned, Planner } from './plan-atom.ts'
import type { Caller, Refs } from './refs.ts'

/** The atoms of a pack, and its marker. */
const MAX_ATOMS = 201
const MAX_BYTES = 1_024 * 1_024 + 4_096

/** Commits many atoms as one commit on main: all or none; existing ones are left out. */
export function commitMany(refs: Refs, caller: Caller, drafts: readonly AtomDraft[], message: string): Promise<ManyCommitted> {
  const bytes = drafts.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
  if (drafts.length > MAX_ATOMS)
    throw BadRequest({ field: 'atoms', message: `\`atoms\` must be at most ${MAX_ATOMS}; got ${drafts.length}` })
  if (bytes > MAX_BYTES)
    throw BadRequest({ field: 'atoms', message: `\`atoms\` must hold at most ${MAX_BYTES} bytes of content; got ${bytes}` })
  for (const [n, draft] of drafts.entries()) checkDraft(draft, `atoms[${n}].`)
  const author = principalName(caller.principal)
  return change(refs, caller, async (): Promise<Decision<ManyCommitted>> => {
    const planner = new Planner(refs)
    const plans: { readonly draft: AtomDraft; readonly planned: Planned }[] = []
    for (const draft of drafts) plans.push({ draft, planned: await planner.plan({ draft, visible: [MAIN], at: caller.now(), author }) })
    const fresh = plans.filter(({ planned }) => planned.known === undefined)
    const views = (commit: string | undefined): AtomView[] =>
      plans.map(({ planned, draft }) =>
        planned.known ? viewOf(planned.known) : viewOf({ ...planned.document(MAIN, commit ?? '').atom, pinned: draft.pin === true }),
      )
    if (fresh.length === 0) return { result: () => ({ created: 0, atoms: views(undefined) }) }
    return {
      branch: MAIN,
      message: `${message}\n`,
      files: fresh.flatMap(({ planned, draft }) => [
        { path: planned.path, content: planned.text },
        ...(draft.pin ? [{ path: pinPath(planned.path), content: `pinned by ${author}\n` }] : []),
      ]),
      result: (commit) => ({ ...defined({ commit }), created: fresh.length, atoms: views(commit) }),
    }
  })
}
