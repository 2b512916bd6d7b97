import { type ForgottenText, forgottenText, textWithout } from '@gateway/plugin-memory/api'
import type { RepoResolver } from '@gateway/plugin-repos/api'
import { type Collection, now } from '@gateway/sdk'
import { FILE_NAMES } from '../rules/file-names.ts'
import { sectionHead } from '../rules/handoff-section.ts'
import type { Handoff, HandoffHead, StateDocument } from '../schema.ts'

export interface TextUses {
  readonly documents: Collection<StateDocument>
  readonly handoffs: Collection<Handoff>
  readonly heads: Collection<HandoffHead>
  readonly dueMirrors: Collection<{ readonly handoffId: string; readonly repo: string }>
  readonly resolver: RepoResolver
}

/** Entries that may hold a forgotten text, of those with its words; the search is repeated while it finds some that do. */
const MAX_ENTRIES = 20
const MAX_ROUNDS = 50
const MARK = /<!-- (ho-[^ ]+) -->/
const TRIES = 5
/** The id of the handoff that a text begins with, if it is the beginning of one. */
const markOf = (text: string): string | undefined => MARK.exec(text)?.[1]
const HAS_WORDS = /[\p{L}\p{N}]/u

/**
 * Removes forgotten texts from what the store has of a repo: from its documents and its handoff entries. An entry of which
 * nothing is left goes as a whole. Files in the repo's folder belong to the repo and stay.
 */
export async function forgetTexts(path: string, texts: readonly string[], uses: TextUses): Promise<void> {
  const [repo, file] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)]
  const all = texts.map(forgottenText)
  for (const kind of ['state', 'handoff'] as const) if (file === FILE_NAMES[kind]) await fromDocument(`${kind}:${repo}`, all, uses)
  if (file !== FILE_NAMES.handoff) return
  for (const handoffId of new Set(texts.flatMap((text) => markOf(text) ?? []))) {
    const own = await uses.handoffs.get(handoffId)
    if (own?.repo === repo) await fromEntry(own, all, uses)
  }
  for (const text of all) await fromEntries(repo, text, all, uses)
}

async function fromDocument(documentId: string, texts: readonly ForgottenText[], { documents }: TextUses): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await documents.get(documentId)
    const left = before && textWithout(before.content, texts, { isSource: ({ chunk }) => markOf(chunk) === undefined })
    if (!before || left === before.content) return
    const set = { content: left as string, revision: before.revision + 1, updatedAt: now() }
    if (await documents.updateOne(documentId, { set }, { revision: before.revision })) return
  }
}

/** Removes all the texts from the entries that have this one as a whole: its pieces overlap. */
async function fromEntries(repo: string, text: ForgottenText, texts: readonly ForgottenText[], uses: TextUses): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const alike = await uses.handoffs.search({ text: text.chunk.slice(0, 300), where: { repo }, limit: MAX_ENTRIES })
    let changed = 0
    for (const { item } of alike) {
      if (textWithout(item.content, [text], { head: sectionHead(item) }) === item.content) continue
      if (await fromEntry(item, texts, uses)) changed++
    }
    if (changed === 0) return
  }
}

/** Returns false when the entry contains none of the texts. */
async function fromEntry(entry: Handoff, texts: readonly ForgottenText[], { handoffs, heads, dueMirrors }: TextUses): Promise<boolean> {
  const { handoffId, repo } = entry
  const left = textWithout(entry.content, texts, { head: sectionHead(entry), isSource: ({ chunk }) => markOf(chunk) === handoffId })
  if (left === entry.content) return false
  const isEmpty = left.split('\n').every((line) => !HAS_WORDS.test(line) || line.startsWith('#'))
  if (!isEmpty) {
    await handoffs.updateOne(handoffId, { set: { content: left } })
    return true
  }
  await handoffs.deleteOne(handoffId)
  await dueMirrors.deleteOne(handoffId)
  const [latest] = (await handoffs.find({ where: { repo }, sort: { handoffId: -1 }, limit: 1 })).items
  if (latest) await heads.updateOne(repo, { set: { latest: latest.handoffId, updatedAt: latest.createdAt }, inc: { entries: -1 } })
  else await heads.deleteOne(repo)
  return true
}
