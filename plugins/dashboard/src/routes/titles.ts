import { type CallContext, closed, defineRoute, type SearchSource, searchSource, Type } from '@gateway/sdk'
import { within } from '@gateway/sdk/bounds'

const MAX_IDS = 100
const MAX_TITLE = 200
const MAX_WAIT_MS = 2_000

export const dashboardTitles = defineRoute({
  name: 'dashboard.titles',
  description: 'Find the titles of records of one kind by their ids; an id without a record is left out. Returns {titles}.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/dashboard/titles',
  input: Type.Object(
    {
      kind: Type.String({
        minLength: 1,
        maxLength: 40,
        description: 'Kind of the records, as in the search: `task`, `swarm`, `schedule`.',
      }),
      ids: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        minItems: 1,
        maxItems: MAX_IDS,
        description: 'Ids of records, as `ids=a&ids=b`.',
      }),
    },
    closed,
  ),
  output: Type.Object({ titles: Type.Record(Type.String(), Type.String()) }, closed),
  uses: { sources: searchSource },
  async handle({ kind, ids }, { sources }, ctx) {
    const own = sources.filter((source) => source.kind === kind && ctx.holds(source.capability ?? 'read'))
    const found = await Promise.all(own.map((source) => titlesOf(source, ids, ctx)))
    const titles = found.flatMap((some) => Object.entries(some)).map(([id, title]) => [id, title.slice(0, MAX_TITLE)] as const)
    return { titles: Object.fromEntries(titles) }
  },
})

async function titlesOf(source: SearchSource, ids: readonly string[], { log }: CallContext): Promise<Readonly<Record<string, string>>> {
  try {
    return await within(source.titles?.(ids) ?? Promise.resolve({}), MAX_WAIT_MS, {})
  } catch (error) {
    log.warn('the titles of a family could not be found', { kind: source.kind, err: error })
    return {}
  }
}
