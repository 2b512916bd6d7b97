import { defined, NotFound } from '@gateway/sdk'
import { blobId, parseAtom, renderAtom } from '../rules/atom-file.ts'
import { MAIN, refOf } from '../rules/names.ts'
import { stampOf, stashPath } from '../rules/paths.ts'
import { change } from './change.ts'
import type { StashDoc } from './documents.ts'
import type { Caller, Refs } from './refs.ts'
import { syncBranch } from './sync.ts'
import type { View } from './view.ts'

export interface Stash {
  readonly slug: string
  readonly repo?: string | undefined
  readonly content: string
  /** Branch that is to keep it; main unless given. */
  readonly branch?: string | undefined
}

/** Freezes a context on main, whatever the current branch, or on the branch that the call names. */
export function putStash(refs: Refs, caller: Caller, { slug, repo, content, branch = MAIN }: Stash) {
  return change(refs, caller, async (view) => {
    const [tip] = await view.repo.tips([refOf(branch)])
    if (tip === undefined) throw NotFound({ what: 'branch', id: branch })
    await syncBranch(refs, view.repo, branch, tip, view.main)
    const at = caller.now()
    const front = { kind: 'stash', slug, created: at.toISOString(), ...defined({ repo }) }
    const [text, path] = await freshFile(refs, at, slug, (again) =>
      renderAtom({ ...front, ...(again > 0 && { again: `x${again}` }) }, content),
    )
    return {
      branch,
      tip,
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

/** Returns stashes of main and of the current branch, the newest first. */
export async function pendingStashes(
  { stashes }: Pick<Refs, 'stashes'>,
  { visible }: Pick<View, 'visible'>,
  limit: number,
): Promise<readonly StashDoc[]> {
  const pages = await Promise.all(visible.map((branch) => stashes.find({ where: { branch }, sort: { seq: -1 }, limit })))
  return pages
    .flatMap(({ items }) => items)
    .sort((a, b) => b.seq - a.seq)
    .slice(0, limit)
}

/** Returns the newest stash of a slug and removes it by a commit. */
export function popStash(refs: Refs, caller: Caller, slug: string) {
  return change(refs, caller, async (view) => {
    const pages = await Promise.all(
      view.visible.map((branch) => refs.stashes.find({ where: { branch, slug }, sort: { seq: -1 }, limit: 1 })),
    )
    const [stash] = pages.flatMap(({ items }) => items).sort((a, b) => b.seq - a.seq)
    if (!stash) throw NotFound({ what: 'stash', id: slug })
    const { path, namespace, at, branch = MAIN } = stash
    const text = await view.repo.file(branch === MAIN ? view.main : view.head, path, 8 * 1_024 * 1_024)
    if (text === undefined) throw NotFound({ what: 'stash', id: slug })
    return {
      branch,
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
