import { textWithout } from '@gateway/plugin-memory/api'
import type { RepoResolver } from '@gateway/plugin-repos/api'
import type { Collection } from '@gateway/sdk'
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
const HAS_WORDS = /[\p{L}\p{N}]/u

/**
 * Removes forgotten texts from what the store has of a repo: from its documents and its handoff entries. An entry of which
 * nothing is left goes as a whole. Files in the repo's folder belong to the repo and stay.
 */
export async function forgetTexts(path: string, texts: readonly string[], uses: TextUses): Promise<void> {
  const [repo, file] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)]
  for (const kind of ['state', 'handoff'] as const) if (file === FILE_NAMES[kind]) await fromDocument(`${kind}:${repo}`, texts, uses)
  if (file === FILE_NAMES.handoff) for (const text of texts) await fromEntries(repo, text, texts, uses)
}

async function fromDocument(documentId: string, texts: readonly string[], { documents }: TextUses): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await documents.get(documentId)
    const left = before && textWithout(before.content, texts)
    if (!before || left === before.content) return
    const set = { content: left as string, revision: before.revision + 1 }
    if (await documents.updateOne(documentId, { set }, { revision: before.revision })) return
  }
}

/** Removes all the texts from the entries that have one of them. */
async function fromEntries(repo: string, text: string, texts: readonly string[], uses: TextUses): Promise<void> {
  const marked = MARK.exec(text)?.[1]
  const own = marked === undefined ? undefined : await uses.handoffs.get(marked)
  if (own) await fromEntry(own, texts, uses)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const alike = await uses.handoffs.search({ text: text.slice(0, 300), where: { repo }, limit: MAX_ENTRIES })
    let changed = 0
    for (const { item } of alike) if (await fromEntry(item, texts, uses)) changed++
    if (changed === 0) return
  }
}

/** Returns false when the entry contains none of the texts. */
async function fromEntry(entry: Handoff, texts: readonly string[], { handoffs, heads, dueMirrors }: TextUses): Promise<boolean> {
  const { handoffId, repo } = entry
  const left = textWithout(entry.content, texts, sectionHead(entry))
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
