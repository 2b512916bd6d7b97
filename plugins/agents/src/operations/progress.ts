import type { CallContext } from '@gateway/sdk'

const PROGRESS_MS = 200
const CHARACTERS_A_TOKEN = 4

/** Reports to a caller that asked for it how far the answer is, in estimated tokens, a few times a second. */
export function progressOf(ctx: CallContext, maxTokens = 4_096): (text: string, attempt: number) => void {
  let characters = 0
  let of = 0
  let reportedAt = Number.NEGATIVE_INFINITY
  let most = 0
  return (text, attempt) => {
    if (attempt !== of) characters = 0
    of = attempt
    characters += text.length
    const now = performance.now()
    if (now - reportedAt < PROGRESS_MS) return
    reportedAt = now
    // The value never falls, even when the answer starts again.
    most = Math.max(most + 1, Math.ceil(characters / CHARACTERS_A_TOKEN))
    ctx.progress(most, Math.max(most, maxTokens), `${characters} characters`)
  }
}
