import { Conflict, defined, NotFound } from '@gateway/sdk'
import { blobId, parseAtom, renderAtom } from '../rules/atom-file.ts'
import { MAIN, refOf } from '../rules/names.ts'
import { stampOf, stashPath } from '../rules/paths.ts'
import { bytesInAnswer } from '../rules/stash-bytes.ts'
import { change } from './change.ts'
import type { StashDoc } from './documents.ts'
import type { Caller, Refs } from './refs.ts'
import { syncBranch } from './sync.ts'
import { type View, view } from './view.ts'

export interface Stash {
  readonly slug: string
  readonly repo?: string | undefined
  readonly content: string
  /** Branch that is to keep it; main unless given. */
  readonly branch?: string | undefined
}

/** Freezes a context on main, whatever the current branch, or on the branch that the call names. */
export function putStash(refs: Refs, caller: Caller, { slug, repo, content, branch = MAIN }: Stash) {
  return change(refs, caller, async (seen) => {
    const [tip] = await seen.repo.tips([refOf(branch)])
    if (tip === undefined) throw NotFound({ what: 'branch', id: branch })
    await syncBranch(refs, seen.repo, branch, tip, seen.main)
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

const MAX_TEXT = 8 * 1_024 * 1_024

/** Returns the newest stash of a slug and removes it by a commit. A stash that does not fit into an answer stays. */
export function popStash(refs: Refs, caller: Caller, slug: string, maxBytes: number) {
  return change(refs, caller, async (seen) => {
    const pages = await Promise.all(
      seen.visible.map((branch) => refs.stashes.find({ where: { branch, slug }, sort: { seq: -1 }, limit: 1 })),
    )
    const [stash] = pages.flatMap(({ items }) => items).sort((a, b) => b.seq - a.seq)
    if (!stash) throw NotFound({ what: 'stash', id: slug })
    const { path, namespace, at, branch = MAIN } = stash
    const text = await seen.repo.file(branch === MAIN ? seen.main : seen.head, path, MAX_TEXT)
    if (text === undefined) throw NotFound({ what: 'stash', id: slug })
    const { content } = parseAtom(text)
    const bytes = bytesInAnswer(content)
    if (bytes > maxBytes)
      throw Conflict({
        message: `The stash ${slug} has ${bytes} bytes as JSON, more than the ${maxBytes} that an answer carries; it stays. Read ${path} of ${branch} with git.`,
        field: 'slug',
      })
    return {
      branch,
      message: `pop: ${slug}\n`,
      files: [{ path, removed: true as const }],
      result: (commit) => ({
        slug,
        path,
        at,
        ...(namespace !== '' && { repo: namespace }),
        content,
        commit: commit as string,
      }),
    }
  })
}

/** Returns the content of a stash that was taken, from the commit before the one that removed it. */
export async function poppedContent(
  refs: Refs,
  caller: Caller,
  { path, commit }: { readonly path: string; readonly commit: string },
): Promise<string | undefined> {
  const seen = await view(refs, caller)
  const known = await seen?.repo.commit(commit)
  const [line] = seen && known !== undefined ? await seen.repo.log({ to: known, limit: 1 }) : []
  const before = line?.parents[0]
  const text = before === undefined ? undefined : await seen?.repo.file(before, path, MAX_TEXT)
  return text === undefined ? undefined : parseAtom(text).content
}
