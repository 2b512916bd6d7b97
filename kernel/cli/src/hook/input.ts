import type { Readable } from 'node:stream'

/** Far more than a host sends; a message that is longer is not read on. */
const MAX_BYTES = 1024 * 1024

export interface HookInput {
  readonly sessionId?: string
  readonly cwd?: string
}

/** What the host says of the session. What cannot be read is none: a hook must not fail a session. */
export async function readInput(stdin: Readable & { readonly isTTY?: boolean }): Promise<HookInput> {
  if (stdin.isTTY) return {}
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stdin) {
    bytes += (chunk as Buffer).length
    if (bytes > MAX_BYTES) return {}
    chunks.push(chunk as Buffer)
  }
  try {
    const { session_id: sessionId, cwd } = JSON.parse(Buffer.concat(chunks).toString()) as { session_id?: unknown; cwd?: unknown }
    return {
      ...(typeof sessionId === 'string' && sessionId !== '' && { sessionId: sessionId.slice(0, 200) }),
      ...(typeof cwd === 'string' && cwd !== '' && { cwd }),
    }
  } catch {
    return {}
  }
}
