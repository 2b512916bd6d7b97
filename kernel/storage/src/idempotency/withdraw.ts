import { pages } from '@gateway/sdk'
import type { Store } from '../port.ts'
import { idsOf, type Replay, replayOf } from './kept-answer.ts'
import { callKeys, type KeyRecord } from './record.ts'

const PAGE = 200
/** A line is compared by its beginning, because an answer may have cut it. */
const COMPARED = 40
/** A shorter line says nothing of its own, unless it is the whole text. */
const MIN_LINE = 8

/**
 * Removes the texts of kept answers that have a line of one of these texts: the keys stay used, and their replays have ids alone.
 * It reads all keys of the tenant: use it for rare acts such as forgetting.
 */
export async function withdrawAnswers(store: Store, tenantId: string, texts: readonly string[]): Promise<void> {
  const lines = new Set(texts.flatMap((text) => linesOf(text)))
  if (lines.size === 0) return
  const keys = store.collection<KeyRecord>(callKeys, tenantId)
  for await (const items of pages(keys, { where: {}, sort: { keyId: 1 }, limit: PAGE }))
    for (const { keyId, answer } of items) {
      if (answer === undefined) continue
      const kept = replayOf(answer)
      if (hasLine(kept, lines)) await keys.updateOne(keyId, { set: { answer: withoutText(kept) } })
    }
}

function linesOf(text: string): readonly string[] {
  const all = text.split('\n').map(beginning)
  return all.filter((line) => line.length >= (all.length === 1 ? 1 : MIN_LINE))
}

/** The beginning of a line without marks of Markdown. */
const beginning = (line: string): string =>
  line
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .slice(0, COMPARED)
    .trimEnd()

function hasLine(value: unknown, lines: ReadonlySet<string>): boolean {
  if (typeof value === 'string') return value.split('\n').some((line) => lines.has(beginning(line)))
  return typeof value === 'object' && value !== null && Object.values(value).some((item) => hasLine(item, lines))
}

function withoutText(answer: Replay): string {
  const { ok, status } = answer
  if (ok) return JSON.stringify({ ok, status, result: { ids: idsOf(answer.result, /^id$|Ids?$/) }, omitted: ['everything but the ids'] })
  return JSON.stringify({ ok, status, error: { ...answer.error, error: 'The text of this refusal was removed.', details: undefined } })
}
