import type { ContentBlock } from './content.ts'
import type { CallContext } from './context.ts'
import { defineContribution } from './contribution.ts'
import { type MembersOf, refuseUnknown } from './members.ts'
import type { Resolved, Uses } from './ref.ts'

/** An argument of a prompt, as a client asks for it. */
export interface PromptArgument {
  readonly name: string
  readonly description: string
  readonly required?: boolean
}
/** A message of a rendered prompt. */
export type PromptMessage = { readonly role: 'user' | 'assistant' } & (
  | { readonly text: string; readonly content?: undefined }
  | { readonly content: ContentBlock; readonly text?: undefined }
)
/** Values that begin with, or otherwise match, the typed text, best first. `others` are the arguments already given. */
export type Complete<Used> = (
  typed: string,
  uses: Used,
  ctx: CallContext,
  others: Readonly<Record<string, string>>,
) => Promise<readonly string[]>

/** A prompt that an MCP client offers to its user. */
export interface Prompt {
  readonly name: string
  readonly description: string
  readonly arguments: readonly PromptArgument[]
  readonly uses: Uses
  readonly render: (args: Readonly<Record<string, string>>, uses: never, ctx: CallContext) => Promise<PromptMessage[]>
  /** Completions by argument. */
  readonly complete: Readonly<Record<string, Complete<never>>>
}

const PROMPT: MembersOf<typeof definePrompt> = {
  name: true,
  description: true,
  arguments: true,
  uses: true,
  render: true,
  complete: true,
}
const ARGUMENT: Readonly<Record<keyof PromptArgument, true>> = { name: true, description: true, required: true }

/** Declares a prompt. Required arguments are checked before `render` runs. */
export function definePrompt<const U extends Uses = Record<never, never>>(prompt: {
  name: string
  description: string
  arguments?: readonly PromptArgument[]
  uses?: U
  render: (args: Readonly<Record<string, string>>, uses: Resolved<U>, ctx: CallContext) => Promise<PromptMessage[]>
  /** Completions while an argument is typed, by argument. */
  complete?: Readonly<Record<string, Complete<Resolved<U>>>>
}): Prompt {
  refuseUnknown(`prompt ${prompt?.name}`, prompt, PROMPT)
  for (const argument of prompt.arguments ?? []) refuseUnknown(`prompt ${prompt.name}: argument ${argument?.name}`, argument, ARGUMENT)
  return { ...prompt, arguments: prompt.arguments ?? [], uses: prompt.uses ?? {}, complete: prompt.complete ?? {} } as unknown as Prompt
}

/**
 * Lists a prompt once for each value of one of its arguments, as `<prompt>-<value>`: what a tenant has, such as its skills, appears in
 * its clients as prompts of their own. Emit `listChanged` for prompts when the values change.
 */
export interface PromptVariants {
  readonly prompt: string
  readonly argument: string
  /** At most 1,000. */
  list(): Promise<readonly { readonly value: string; readonly description: string }[]>
}
/** Contributes variants of the plugin's own prompts. */
export const promptVariants = defineContribution<PromptVariants>('gateway.prompt-variants')
