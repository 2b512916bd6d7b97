import type { CallContext } from './context.ts'
import type { Resolved, Uses } from './ref.ts'

export interface PromptArgument {
  readonly name: string
  readonly description: string
  readonly required?: boolean
}
export interface PromptMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** A prompt an MCP client offers to its user. */
export interface Prompt {
  readonly name: string
  readonly description: string
  readonly arguments: readonly PromptArgument[]
  readonly uses: Uses
  readonly render: (args: Readonly<Record<string, string>>, uses: never, ctx: CallContext) => Promise<PromptMessage[]>
}

/** Declare a prompt. Required arguments are checked before `render` runs. */
export function definePrompt<const U extends Uses = Record<never, never>>(prompt: {
  name: string
  description: string
  arguments?: readonly PromptArgument[]
  uses?: U
  render: (args: Readonly<Record<string, string>>, uses: Resolved<U>, ctx: CallContext) => Promise<PromptMessage[]>
}): Prompt {
  return { ...prompt, arguments: prompt.arguments ?? [], uses: prompt.uses ?? {} } as unknown as Prompt
}
