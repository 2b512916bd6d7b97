import { signal } from '@preact/signals'
import { send } from './api.ts'

/** Titles of records, by kind and id. An id without a title is asked for once. */
const titles = signal<ReadonlyMap<string, string>>(new Map())
const asked = new Set<string>()
/** Ids that are asked for together. */
const waiting = new Map<string, Set<string>>()
const MOST_IDS = 100
/** Beyond it the titles are forgotten, and asked for again when they are shown. */
const MOST_TITLES = 5_000
const WAIT_MS = 20

const keyOf = (kind: string, id: string): string => `${kind} ${id}`

/** The title of a record, or `undefined` until it is known. */
export function titleOf(kind: string, id: string): string | undefined {
  const key = keyOf(kind, id)
  const known = titles.value.get(key)
  if (known !== undefined || asked.has(key) || id.length > 200) return known
  asked.add(key)
  if (waiting.size === 0) setTimeout(askAll, WAIT_MS)
  waiting.set(kind, (waiting.get(kind) ?? new Set()).add(id))
  return undefined
}

function askAll(): void {
  for (const [kind, ids] of waiting) {
    const all = [...ids]
    for (let from = 0; from < all.length; from += MOST_IDS) void ask(kind, all.slice(from, from + MOST_IDS))
  }
  waiting.clear()
}

async function ask(kind: string, ids: readonly string[]): Promise<void> {
  const query = new URLSearchParams([['kind', kind], ...ids.map((id) => ['ids', id])])
  const answer = await send({ method: 'GET', url: `/api/dashboard/titles?${query}` })
  if (!answer.ok) return
  const found = Object.entries((answer.data as { titles: Readonly<Record<string, string>> }).titles)
  if (titles.peek().size + found.length > MOST_TITLES) {
    asked.clear()
    titles.value = new Map()
  }
  titles.value = new Map([...titles.peek(), ...found.map(([id, title]) => [keyOf(kind, id), title] as const)])
}
