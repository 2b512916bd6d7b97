import { defined, principalName } from '@gateway/sdk'
import { MAIN } from '../rules/names.ts'
import { pinPath } from '../rules/paths.ts'
import { change } from './change.ts'
import { viewOf } from './documents.ts'
import { reward } from './recall-counts.ts'
import type { Caller, Refs } from './refs.ts'
import { resolveAtom } from './resolve.ts'

/** Writes the never-drop marker of an atom on main, or removes it. Idempotent. */
export function setPinned(refs: Refs, caller: Caller, ref: string, pinned: boolean) {
  return change(refs, caller, async (view) => {
    const atom = await resolveAtom(refs, view, ref)
    const path = pinPath(atom.path)
    const exists = (await view.repo.entries(view.main, [path]))[0] !== undefined
    const result = (commit: string | undefined) => ({
      atom: { ...viewOf(atom), pinned },
      changed: commit !== undefined,
      ...defined({ commit }),
    })
    if (exists === pinned) return { result }
    if (pinned) await reward(refs, caller, atom.path)
    return {
      branch: MAIN,
      message: `${pinned ? 'pin' : 'unpin'}: ${atom.slug}\n\nAtom: ${atom.path}\n`,
      files: [
        pinned
          ? { path, content: `pinned by ${principalName(caller.principal)} at ${caller.now().toISOString()}\n` }
          : { path, removed: true as const },
      ],
      result,
    }
  })
}
