import { defined, NotFound } from '@gateway/sdk'
import { blobId, parseAtom, renderAtom } from '../rules/atom-file.ts'
import { MAIN } from '../rules/names.ts'
import { stampOf, stashPath } from '../rules/paths.ts'
import { change } from './change.ts'
import type { Caller, Refs } from './refs.ts'

export interface Stash {
  readonly slug: string
  readonly repo?: string | undefined
  readonly content: string
}

/** Freezes a context on main, whatever the current branch. */
export function putStash(refs: Refs, caller: Caller, { slug, repo, content }: Stash) {
  return change(refs, caller, async () => {
    const at = caller.now()
    const front = { kind: 'stash', slug, created: at.toISOString(), ...defined({ repo }) }
    const [text, path] = await freshFile(refs, at, slug, (again) =>
      renderAtom({ ...front, ...(again > 0 && { again: `x${again}` }) }, content),
    )
    return {
      branch: MAIN,
      message: `stash: ${slug}\n`,
      files: [{ path, content: text }],
      result: (commit) => ({ path, commit: commit as string, at: at.toISOString() }),
    }
  })
}

async function freshFile(refs: Refs, at: Date, slug: string, render: (again: number) => string): Promise<readonly [string, string]> {
  for (let again = 0; ; again++) {
    const text = render(again)
    const path = stashPath({ stamp: stampOf(at), slug, sha8: blobId(text).slice(0, 8) })
    if (!(await refs.stashes.get(path))) return [text, path]
  }
}

/** Returns the newest stash of a slug and removes it by a commit. */
export function popStash(refs: Refs, caller: Caller, slug: string) {
  return change(refs, caller, async (view) => {
    const [stash] = (await refs.stashes.find({ where: { slug }, sort: { seq: -1 }, limit: 1 })).items
    if (!stash) throw NotFound({ what: 'stash', id: slug })
    const { path, namespace, at } = stash
    const text = await view.repo.file(view.main, path, 8 * 1_024 * 1_024)
    if (text === undefined) throw NotFound({ what: 'stash', id: slug })
    return {
      branch: MAIN,
      message: `pop: ${slug}\n`,
      files: [{ path, removed: true as const }],
      result: (commit) => ({
        slug,
        path,
        at,
        ...(namespace !== '' && { repo: namespace }),
        content: parseAtom(text).content,
        commit: commit as string,
      }),
    }
  })
}
