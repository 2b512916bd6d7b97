import type { ServiceClient } from '@gateway/sdk/command'

export interface ToolEntry {
  readonly name: string
  readonly description: string
  readonly plugin: string
  readonly effect: string
  readonly inputSchema?: { readonly properties?: Readonly<Record<string, Argument>>; readonly required?: readonly string[] }
}

export interface Argument {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly description?: string
}

/** Returns all tools that the caller may call: those of the full list, of families, and of the core list alone. */
export async function offeredTools(client: ServiceClient): Promise<readonly ToolEntry[]> {
  const [full, core] = await Promise.all([list(client, 'all'), list(client, 'core')])
  const families = [...new Set(full.map(({ plugin }) => plugin))]
  const ofFamilies = families.length === 0 ? [] : await list(client, `t/${families.map(encodeURIComponent).join(',')}`)
  return [...new Map([...full, ...ofFamilies, ...core].map((tool) => [tool.name, tool])).values()]
}

export async function offeredTool(client: ServiceClient, name: string): Promise<ToolEntry | undefined> {
  const isMeant = (tool: ToolEntry): boolean => tool.name === name
  return (await list(client, 'all')).find(isMeant) ?? (await offeredTools(client)).find(isMeant)
}

async function list(client: ServiceClient, view: string): Promise<readonly ToolEntry[]> {
  return ((await client.get(`/api/tools?view=${view}`)) as { tools: readonly ToolEntry[] }).tools
}
