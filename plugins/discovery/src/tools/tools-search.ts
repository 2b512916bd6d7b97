import { BadRequest, closed, defineTool, rowLimit, type Toolbox, type ToolInfo, Type, toolbox } from '@gateway/sdk'
import { indexes } from '../services/indexes.ts'

const ROWS = rowLimit(8, 25)
/** Schemas are most of an answer's cost, and the intended tool is nearly always among the first. */
const WITH_SCHEMA = 3

const Found = Type.Object(
  {
    name: Type.String(),
    family: Type.String(),
    description: Type.String(),
    effect: Type.Enum(['read', 'write', 'destructive']),
    inputSchema: Type.Optional(Type.Object({}, { description: 'Only for the best matches; query a name for another one.' })),
  },
  closed,
)

export const toolsSearch = defineTool({
  name: 'tools_search',
  description:
    'Find a tool among all that you may call. Call it with tools_call_<effect>. Returns {tools}, best first, the first three with their input schema.',
  capability: 'read',
  effect: 'read',
  listing: 'core-only',
  input: Type.Object(
    {
      query: Type.String({ minLength: 1, maxLength: 500, description: 'The intent, such as “put off a task”, or a name.' }),
      limit: ROWS.argument,
      family: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Only this family, such as tasks.' })),
    },
    closed,
  ),
  output: Type.Object(
    {
      tools: Type.Array(Found),
      families: Type.Optional(Type.Array(Type.String(), { description: 'All families, when no tool matches.' })),
    },
    closed,
  ),
  uses: { toolbox, indexes },
  async handle({ query, limit, family }, { toolbox, indexes }) {
    const all = await everything(toolbox)
    const families = [...new Set(all.map(({ plugin }) => plugin))]
    if (family !== undefined && !families.includes(family)) {
      throw BadRequest({ field: 'family', message: `\`family\` must be one of ${families.join(', ')}; got ${JSON.stringify(family)}.` })
    }
    const hits = indexes.of(all).search(query)
    const tools = (family === undefined ? hits : hits.filter(({ plugin }) => plugin === family)).slice(0, ROWS.of(limit))
    return tools.length === 0 ? { tools: [], families } : { tools: tools.map(describe) }
  },
})

function describe({ name, plugin, description, effect, input }: ToolInfo, rank: number) {
  return { name, family: plugin, description, effect, ...(rank < WITH_SCHEMA && { inputSchema: input }) }
}

/**
 * Returns the tools of the gateway, then those of the tenant. The same tools give the same array, because the index is cached by
 * it.
 */
async function everything(toolbox: Toolbox): Promise<readonly ToolInfo[]> {
  const [tools, own] = [toolbox.list(), await toolbox.own()]
  if (own.length === 0) return tools
  const known = joined.get(own)
  if (known?.tools === tools) return known.all
  const all = [...tools, ...own]
  joined.set(own, { tools, all })
  return all
}
const joined = new WeakMap<readonly ToolInfo[], { readonly tools: readonly ToolInfo[]; readonly all: readonly ToolInfo[] }>()
