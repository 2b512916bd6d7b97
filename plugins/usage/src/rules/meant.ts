import type { CallRecord } from '@gateway/sdk'

/** Tools that pass a call on to the tool that their arguments name. */
const FORWARDS = /^tools_call_/
/** Names of tools are shorter; any other text in their place is not a tool. */
const TOOL = /^[a-z][a-z0-9_]{0,99}$/

/** The tool and the arguments that a call is about: those that it passes on, if it does. */
export function meant({ tool, args }: Pick<CallRecord, 'tool' | 'args'>): { readonly tool: string; readonly args: unknown } {
  if (!FORWARDS.test(tool)) return { tool, args }
  const passed = args as { readonly tool?: unknown; readonly arguments?: unknown } | undefined
  return typeof passed?.tool === 'string' && TOOL.test(passed.tool) ? { tool: passed.tool, args: passed.arguments } : { tool, args }
}
