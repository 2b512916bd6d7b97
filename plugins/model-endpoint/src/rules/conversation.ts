export interface Conversation {
  readonly system?: string | undefined
  readonly turns: readonly Turn[]
  readonly tools: readonly Tool[]
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly name: string } | undefined
  readonly parallelCalls?: boolean | undefined
  readonly maxTokens?: number | undefined
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  readonly stop?: readonly string[] | undefined
  /** The answer is JSON of this schema. */
  readonly format?: Format | undefined
}

export interface Format {
  readonly name: string
  readonly schema: unknown
  /** False if the schema is only a hint. One of the wires knows no hints: there every schema holds. */
  readonly strict: boolean
}

export interface Tool {
  readonly name: string
  readonly description?: string | undefined
  readonly input: unknown
  /** True if the arguments of a call must follow the schema. */
  readonly strict?: boolean | undefined
}

/** Results of tools are parts of a turn of the user. */
export interface Turn {
  readonly role: 'user' | 'assistant'
  readonly parts: readonly Part[]
}

export type ContentPart = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'image'; readonly url: string }
export type Part =
  | ContentPart
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly arguments: string }
  | { readonly kind: 'result'; readonly callId: string; readonly said: readonly ContentPart[]; readonly isError?: boolean }

/** Texts joined by line breaks. Images have none. */
export const textIn = (said: readonly ContentPart[]): string => said.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n')

/** Joins neighbouring turns of the same role, which one of the wires demands; it also refuses turns without a part, which are left out. */
export function joined(turns: readonly Turn[]): readonly Turn[] {
  const all: { role: Turn['role']; parts: Part[] }[] = []
  for (const { role, parts } of turns) {
    if (parts.length === 0) continue
    const last = all.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else all.push({ role, parts: [...parts] })
  }
  return all
}
