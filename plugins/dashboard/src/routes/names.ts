import { type CallContext, closed, defineRoute, type SearchSource, searchSource, Type } from '@gateway/sdk'
import { within } from '@gateway/sdk/bounds'

const MAX_NAMES = 200
const MAX_WAIT_MS = 2_000

export const dashboardNames = defineRoute({
  name: 'dashboard.names',
  description: `List the names that forms and filters offer, by the field that takes them: at most ${MAX_NAMES} of a kind. Returns {fields}.`,
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/dashboard/names',
  input: Type.Object({}, closed),
  output: Type.Object({ fields: Type.Record(Type.String(), Type.Array(Type.String())) }, closed),
  uses: { sources: searchSource },
  async handle(_input, { sources }, ctx) {
    const own = sources.filter(({ capability = 'read' }) => ctx.holds(capability))
    const lists = await Promise.all(own.map(async (source) => ({ source, names: await namesOf(source, ctx) })))
    const fields = lists.flatMap(({ source, names }) => (source.names?.fields ?? []).map((field) => [field, names] as const))
    return { fields: Object.fromEntries(fields) }
  },
})

async function namesOf({ kind, names }: SearchSource, { log }: CallContext): Promise<string[]> {
  try {
    return [...(await within(names?.list(MAX_NAMES) ?? Promise.resolve([]), MAX_WAIT_MS, []))]
  } catch (error) {
    log.warn('the names of a family could not be listed', { kind, err: error })
    return []
  }
}
