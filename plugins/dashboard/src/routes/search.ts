import { type CallContext, closed, defined, defineRoute, type FoundItem, type SearchSource, searchSource, Type } from '@gateway/sdk'
import { within } from '@gateway/sdk/bounds'
import { nearness } from '@gateway/sdk/near'

const PER_SOURCE = 6
const MAX_HITS = 40
const MAX_TEXT = 200
/** A source that does not answer within this time is left out and named. */
const MAX_WAIT_MS = 2_000

const Hit = Type.Object(
  {
    kind: Type.String(),
    id: Type.String(),
    title: Type.String(),
    text: Type.Optional(Type.String()),
    at: Type.Optional(Type.String()),
    to: Type.String({ description: 'Path of the page, as it is declared.' }),
    with: Type.Record(Type.String(), Type.String(), { description: 'Values of its parameters.' }),
  },
  closed,
)

export const dashboardSearch = defineRoute({
  name: 'dashboard.search',
  description: `Find data of all families by a few words, with typing errors: at most ${PER_SOURCE} hits of each kind. Returns {hits, failed}.`,
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/dashboard/search',
  input: Type.Object({ q: Type.String({ minLength: 1, maxLength: 200, description: 'Words; typos are tolerated.' }) }, closed),
  output: Type.Object(
    {
      hits: Type.Array(Hit, { description: 'The nearest first.' }),
      failed: Type.Array(Type.String(), { description: 'Kinds that could not be searched.' }),
    },
    closed,
  ),
  uses: { sources: searchSource },
  async handle({ q }, { sources }, ctx) {
    const own = sources.filter(({ capability = 'read' }) => ctx.holds(capability))
    const found = await Promise.all(own.map(async (source) => ({ kind: source.kind, hits: await ask(source, q, ctx) })))
    const hits = found
      .flatMap(({ kind, hits = [] }) => hits.map((hit) => ({ kind, hit, near: nearness(q, hit.title) })))
      .sort((a, b) => b.near - a.near)
    return {
      hits: hits.slice(0, MAX_HITS).map(({ kind, hit: { id, title, text, at, link } }) => ({
        kind,
        id,
        title: title.slice(0, MAX_TEXT),
        ...defined({ text: text?.slice(0, MAX_TEXT), at }),
        to: link.to,
        with: { ...link.with },
      })),
      failed: found.flatMap(({ kind, hits }) => (hits === undefined ? [kind] : [])),
    }
  },
})

async function ask(source: SearchSource, query: string, { log }: CallContext): Promise<readonly FoundItem[] | undefined> {
  try {
    return await within(source.find(query, PER_SOURCE), MAX_WAIT_MS, undefined)
  } catch (error) {
    log.warn('a family could not be searched', { kind: source.kind, err: error })
    return undefined
  }
}
