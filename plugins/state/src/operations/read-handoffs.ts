import type { RepoResolver } from '@gateway/plugin-repos/api'
import { type CallContext, type Collection, cutText } from '@gateway/sdk'
import type { Handoff, HandoffHead } from '../schema.ts'
import { repoOf } from './resolve-repo.ts'

interface ReadUses {
  readonly handoffs: Collection<Handoff>
  readonly heads: Collection<HandoffHead>
}
const MAX_ENTRY_CHARACTERS_IN_LIST = 4_000
const MAX_ANSWER_CHARACTERS = 1_000_000

export async function latestPerRepo(limit: number, { handoffs, heads }: ReadUses) {
  const { items } = await heads.find({ sort: { updatedAt: -1 }, limit })
  const entries = new Map((await handoffs.getMany(items.map(({ latest }) => latest))).map((entry) => [entry.handoffId, entry]))
  return items.flatMap(({ latest, entries: count }) => {
    const entry = entries.get(latest)
    if (!entry) return []
    const isLong = entry.content.length > MAX_ENTRY_CHARACTERS_IN_LIST
    return [{ ...entry, entries: count, ...(isLong && { content: cutText(entry.content, MAX_ENTRY_CHARACTERS_IN_LIST), truncated: true }) }]
  })
}

/** Returns the latest entry, the number of entries, and the newest `history` of them. */
export async function readHandoffs(
  asked: string,
  history: number,
  { handoffs, heads, resolver }: ReadUses & { readonly resolver: RepoResolver },
  ctx: CallContext,
) {
  const { name: repo, hint } = await repoOf(asked, resolver, { stores: ctx.holds('work') })
  const head = await heads.get(repo)
  const latest = head && (await handoffs.get(head.latest))
  const known = { repo, latest: latest ?? null, total: head?.entries ?? 0, ...(hint !== undefined && { hint }) }
  if (history === 0) return known
  const { items } = await handoffs.find({ where: { repo }, sort: { handoffId: -1 }, limit: history })
  const shown = withinLength(items)
  return { ...known, history: shown, ...(shown.length < items.length && { truncated: true }) }
}

function withinLength(entries: readonly Handoff[]): Handoff[] {
  let characters = 0
  const end = entries.findIndex(({ content }) => (characters += content.length) > MAX_ANSWER_CHARACTERS)
  return entries.slice(0, end === -1 ? entries.length : end)
}
