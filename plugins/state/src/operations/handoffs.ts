import type { Memory } from '@gateway/plugin-memory/api'
import type { RepoResolver } from '@gateway/plugin-repos/api'
import { type Atomically, type CallContext, type Collection, defined, type Emitter, principalName } from '@gateway/sdk'
import { handoffUri } from '../rules/handoff-uri.ts'
import type { Handoff, HandoffHead } from '../schema.ts'
import { handoffDocument, handoffOrigin } from './handoff-document.ts'
import { type MirrorUses, mirrorDue } from './mirror.ts'
import { repoOf } from './resolve-repo.ts'

export type HandoffDraft = Omit<Handoff, 'handoffId' | 'createdAt' | 'authorPrincipal'>
export interface WriteUses extends MirrorUses {
  readonly heads: Collection<HandoffHead>
  readonly resolver: RepoResolver
  readonly atomically: Atomically
  readonly updated: Emitter<{ uri: string }>
  /** Finds the entry from the commit on. */
  readonly memory: Memory | undefined
}
export interface Written {
  readonly handoff: Handoff
  /** Number of entries of the repo, this one included. */
  readonly entries: number
  readonly mirrored: boolean
  readonly reason?: string
}

/** Adds an entry. It is durable once this resolves, even if its copy in the file fails: the copy is retried until it succeeds. */
export async function writeHandoff(draft: HandoffDraft, uses: WriteUses, ctx: CallContext): Promise<Written> {
  const { handoffs, heads, dueMirrors, resolver, atomically, updated, memory } = uses
  const { name, place, hint } = await repoOf(draft.repo, resolver, { stores: true })
  const handoffId = ctx.newId('ho-')
  const { handoff, entries } = await atomically(async (tx) => {
    const createdAt = tx.now.toISOString()
    const author = draft.author ?? ctx.principal.label
    const by = author === undefined ? {} : { author, authorPrincipal: principalName(ctx.principal) }
    const handoff = await handoffs.in(tx).insert({ ...draft, ...by, handoffId, repo: name, createdAt })
    const first = { repo: name, latest: handoffId, entries: 1, updatedAt: createdAt }
    // The later id of two concurrent entries is the latest, in whichever order they are written.
    const more = { inc: { entries: 1 }, max: { latest: handoffId, updatedAt: createdAt } }
    const { entries } = await heads.in(tx).upsert(first, more)
    tx.afterCommit(() => updated.emit({ uri: handoffUri(name) }))
    await memory?.in(tx).addToOrigin(handoffOrigin(name), [handoffDocument(handoff)])
    if (place) await dueMirrors.in(tx).insert({ handoffId, repo: name })
    return { handoff, entries }
  })
  if (!place)
    return {
      handoff,
      entries,
      mirrored: false,
      reason: [`${name} has no folder on this machine.`, ...(hint === undefined ? [] : [hint])].join(' '),
    }
  const reason = await mirrorDue(place, uses, ctx)
  return { handoff, entries, mirrored: reason === undefined, ...defined({ reason }) }
}
