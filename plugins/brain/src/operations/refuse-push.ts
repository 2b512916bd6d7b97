import type { PushedChange, PushedRef, Quarantine, Repository } from '@gateway/plugin-git/api'
import { PushedCommits, refFault, tipFault } from '../rules/push.ts'
import { HEAD_BYTES, isText, MAX_ATOM_BYTES, textFault } from '../rules/pushed-file.ts'
import { MAX_CONTENT } from '../schema.ts'

/** Returns a sentence that says why a push is refused, or `undefined`: checks the refs first, then each commit with its files. */
export async function refusePush(repo: Repository, pushed: readonly PushedRef[], quarantine: Quarantine): Promise<string | undefined> {
  for (const ref of pushed) {
    const fault = refFault(ref)
    if (fault !== undefined) return fault
  }
  for (const facts of await repo.pushFacts(pushed, quarantine)) {
    const fault = tipFault(facts)
    if (fault !== undefined) return fault
  }
  const commits = new PushedCommits()
  for await (const piece of repo.pushedCommits(pushed, quarantine, { textBytes: HEAD_BYTES, maxBytes: MAX_ATOM_BYTES }))
    for (const commit of piece) {
      const fault = commits.fault(commit) ?? (await firstTextFault(repo, quarantine, commit.changes))
      if (fault !== undefined) return fault
    }
  return undefined
}

async function firstTextFault(repo: Repository, quarantine: Quarantine, changes: readonly PushedChange[]): Promise<string | undefined> {
  for (const { status, path, blob, size = 0, text } of changes) {
    if (status === 'D' || !isText(path)) continue
    // Most texts are judged by their beginning; a long one has its characters counted.
    const isLong = size > MAX_CONTENT
    const judged = isLong ? await repo.pushedText(blob, quarantine, MAX_ATOM_BYTES) : text
    const fault = judged === undefined ? `${path} could not be read.` : textFault(path, judged, !isLong && size > HEAD_BYTES)
    if (fault !== undefined) return fault
  }
  return undefined
}
