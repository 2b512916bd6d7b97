import type { Turn } from '../api.ts'
import type { StoredMessage } from '../schema.ts'

const MAX_CHARACTERS = 100_000
/** Stands for a message whose text was forgotten: models refuse an empty turn, and without it two turns of one role would meet. */
const NO_TEXT = '[no text]'

/**
 * Returns the history for an agent: answered messages and their answers; the last ones if there are many. `newestFirst` as
 * stored.
 */
export function historyOf(newestFirst: readonly StoredMessage[]): readonly Turn[] {
  const turns: Turn[] = []
  let characters = 0
  for (const { role, content, state } of newestFirst) {
    if (role === 'user' && state !== 'answered') continue
    characters += content.length
    if (characters > MAX_CHARACTERS) break
    turns.push({ role, content: content.trim() === '' ? NO_TEXT : content })
  }
  return turns.reverse()
}
