import { textWithout } from '@gateway/plugin-memory/api'
import type { RepoResolver } from '@gateway/plugin-repos/api'
import type { Collection } from '@gateway/sdk'
import { FILE_NAMES } from '../rules/file-names.ts'
import type { Handoff, HandoffHead, StateDocument } from '../schema.ts'

export interface TextUses {
  readonly documents: Collection<StateDocument>
  readonly handoffs: Collection<Handoff>
  readonly heads: Collection<HandoffHead>
  readonly dueMirrors: Collection<{ readonly handoffId: string; readonly repo: string }>
  readonly resolver: RepoResolver
}

/** Entries that may hold a forgotten text, of those with its words. */
const MAX_ENTRIES = 20
const MARK = /<!-- (ho-[^ ]+) -->/
const TRIES = 5

/**
 * Removes a forgotten text from what the store has of a repo: from its documents and its handoff entries. An entry of which
 * nothing is left goes as a whole. Files in the repo's folder belong to the repo and stay.
 */
export async function forgetText(path: string, content: string, uses: TextUses): Promise<void> {
  const [repo, file] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)]
  for (const kind of ['state', 'handoff'] as const) if (file === FILE_NAMES[kind]) await fromDocument(`${kind}:${repo}`, content, uses)
  if (file !== FILE_NAMES.handoff) return
  const marked = MARK.exec(content)?.[1]
  const own = marked === undefined ? undefined : await uses.handoffs.get(marked)
  const alike = await uses.handoffs.search({ text: content.slice(0, 300), where: { repo }, limit: MAX_ENTRIES })
  for (const entry of new Map([...(own ? [own] : []), ...alike.map(({ item }) => item)].map((one) => [one.handoffId, one])).values())
    await fromEntry(entry, content, uses)
}

async function fromDocument(documentId: string, content: string, { documents }: TextUses): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await documents.get(documentId)
    const left = before && textWithout(before.content, content)
    if (!before || left === before.content) return
    const set = { content: left as string, revision: before.revision + 1 }
    if (await documents.updateOne(documentId, { set }, { revision: before.revision })) return
  }
}

async function fromEntry(entry: Handoff, content: string, { handoffs, heads, dueMirrors }: TextUses): Promise<void> {
  const { handoffId, repo } = entry
  const left = textWithout(entry.content, content)
  if (left === entry.content) return
  const isEmpty = left.split('\n').every((line) => line.trim() === '' || line.startsWith('#'))
  if (!isEmpty) return void (await handoffs.updateOne(handoffId, { set: { content: left } }))
  await handoffs.deleteOne(handoffId)
  await dueMirrors.deleteOne(handoffId)
  const [latest] = (await handoffs.find({ where: { repo }, sort: { handoffId: -1 }, limit: 1 })).items
  if (latest) await heads.updateOne(repo, { set: { latest: latest.handoffId, updatedAt: latest.createdAt }, inc: { entries: -1 } })
  else await heads.deleteOne(repo)
}
