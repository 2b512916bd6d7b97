import type { ModelTool } from '@gateway/plugin-providers/api'
import type { Toolbox } from '@gateway/sdk'

/** Tools that run agents themselves are never offered: agents could start each other without end. */
const NEVER = new Set(['agents_invoke', 'skills_invoke', 'dispatch_cycle', 'schedules_run_now', 'morning_sweep', 'evening_sweep'])
/** Names that both wires accept. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/
/** Providers accept at most 128 tools in a request. */
const MAX_OFFERED = 128

/**
 * The allow list of an invocation: the tools of a definition that exist and that the caller may call. Definitions of other programs also name
 * tools that are unknown here.
 */
export async function offeredTools(toolbox: Toolbox, named: readonly string[]): Promise<ReadonlyMap<string, ModelTool>> {
  const offered = new Map<string, ModelTool>()
  for (const name of new Set(named)) {
    if (offered.size === MAX_OFFERED) break
    const info = NEVER.has(name) || !NAME.test(name) ? undefined : await toolbox.find(name)
    if (info) offered.set(name, { name, description: info.description, input: info.input })
  }
  return offered
}
