import type { Readable } from 'node:stream'
import type { ToolUse } from './step.ts'

/** Far more than a host sends; reading stops at a longer message. */
const MAX_BYTES = 1024 * 1024
const HOST_INPUT_WAIT_MS = 2_000

export interface HookInput extends ToolUse {
  readonly sessionId?: string
  readonly cwd?: string
  /** File of JSON lines in which the host keeps the conversation. */
  readonly transcript?: string
  /** Quotas of the account, as Claude Code gives them to its status line. */
  readonly rateLimits?: unknown
  /** Name of the model for people, in the same place. */
  readonly model?: string
  /** The whole input, as it came. */
  readonly text?: string
}

/** Reads the host's description of the session. Input that cannot be read counts as none: a hook must not fail a session. */
export async function readInput(stdin: Readable & { readonly isTTY?: boolean }): Promise<HookInput> {
  if (stdin.isTTY) return {}
  const chunks: Buffer[] = []
  let bytes = 0
  const late = setTimeout(() => stdin.destroy(), HOST_INPUT_WAIT_MS)
  try {
    for await (const chunk of stdin) {
      bytes += (chunk as Buffer).length
      if (bytes > MAX_BYTES) return {}
      chunks.push(chunk as Buffer)
    }
  } catch {
    // The part that arrived is used.
  } finally {
    clearTimeout(late)
  }
  return inputOf(Buffer.concat(chunks).toString())
}

function inputOf(text: string): HookInput {
  try {
    const said = JSON.parse(text.replace(/^\uFEFF/, '')) as Record<string, unknown>
    const {
      session_id: sessionId,
      cwd,
      transcript_path: transcript,
      tool_name: tool,
      tool_input: input,
      tool_response: response,
      hook_event_name: event,
    } = said
    const model = said.model as { display_name?: unknown } | undefined
    return {
      ...(typeof sessionId === 'string' && sessionId !== '' && { sessionId: plainId(sessionId) }),
      ...(typeof cwd === 'string' && cwd !== '' && { cwd }),
      ...(typeof transcript === 'string' && transcript.endsWith('.jsonl') && { transcript }),
      ...(typeof tool === 'string' && { tool }),
      input,
      response,
      isFailure: event === 'PostToolUseFailure' || Boolean(said.error),
      rateLimits: said.rate_limits,
      ...(typeof model?.display_name === 'string' && { model: model.display_name }),
      text,
    }
  } catch {
    return {}
  }
}

/** An id becomes a part of paths of routes. */
const plainId = (id: string): string => id.replace(/[\s/\p{Cc}]/gu, '_').slice(0, 200)
