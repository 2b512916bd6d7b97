import { signal } from '@preact/signals'
import { send } from './api.ts'
import { isHidden } from './clock.ts'
import { onChange } from './live.ts'
import { spaced } from './spaced.ts'

/** Titles of records, by kind and id. */
const titles = signal<ReadonlyMap<string, string>>(new Map())
/** Times of the requests; an id whose request failed has none. */
const asked = new Map<string, number>()
/** A title that is shown later than this is asked for again. */
const FRESH_MS = 60_000
/** Ids that are asked for together. */
const waiting = new Map<string, Set<string>>()
const MAX_IDS = 100
/** Beyond it the titles are forgotten, and asked for again when they are shown. */
const MAX_TITLES = 5_000
const WAIT_MS = 20

const keyOf = (kind: string, id: string): string => `${kind} ${id}`

/** The title of a record, or `undefined` until it is known. */
export function titleOf(kind: string, id: string): string | undefined {
  const key = keyOf(kind, id)
  const known = titles.value.get(key)
  if (id.length > 200 || Date.now() - (asked.get(key) ?? 0) < FRESH_MS) return known
  asked.set(key, Date.now())
  if (waiting.size === 0) setTimeout(askAll, WAIT_MS)
  waiting.set(kind, (waiting.get(kind) ?? new Set()).add(id))
  return known
}

/** Asks for a title again when one of the collections changes. Returns the function that ends it. */
export function followTitle(kind: string, id: string, collections: readonly string[]): () => void {
  const asking = spaced(() => ask(kind, [id]), isHidden)
  const unsubscribe = onChange(collections, asking.soon)
  document.addEventListener('visibilitychange', asking.resume)
  return () => {
    unsubscribe()
    asking.stop()
    document.removeEventListener('visibilitychange', asking.resume)
  }
}

function askAll(): void {
  for (const [kind, ids] of waiting) {
    const all = [...ids]
    for (let from = 0; from < all.length; from += MAX_IDS) void ask(kind, all.slice(from, from + MAX_IDS))
  }
  waiting.clear()
}

async function ask(kind: string, ids: readonly string[]): Promise<void> {
  const query = new URLSearchParams([['kind', kind], ...ids.map((id) => ['ids', id])])
  const answer = await send({ method: 'GET', url: `/api/dashboard/titles?${query}` })
  if (!answer.ok) {
    for (const id of ids) asked.delete(keyOf(kind, id))
    return
  }
  if (asked.size > MAX_TITLES) {
    asked.clear()
    titles.value = new Map()
  }
  const found = Object.entries((answer.data as { titles: Readonly<Record<string, string>> }).titles)
  const news = found.map(([id, title]) => [keyOf(kind, id), title] as const).filter(([key, title]) => titles.peek().get(key) !== title)
  if (news.length > 0) titles.value = new Map([...titles.peek(), ...news])
}
