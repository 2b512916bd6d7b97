import { closed, defined, defineTool, gatewayWide, LIST_BYTES, ListFill, rowLimit, Type } from '@gateway/sdk'
import { listings } from '../collections.ts'
import { showListing } from '../rules/show.ts'
import { KINDS, type Summary, summarySchema } from '../schema.ts'

const ROWS = rowLimit(20, 100)

export const marketplaceSearch = defineTool({
  name: 'marketplace_search',
  description: 'Search the published agents and skills of the marketplace. Returns summaries.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/marketplace',
  input: Type.Object(
    {
      q: Type.Optional(Type.String({ maxLength: 400, description: 'Words to search for; without any, all listings by slug.' })),
      kind: Type.Optional(Type.Enum(KINDS)),
      category: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      limit: ROWS.argument,
    },
    closed,
  ),
  output: Type.Object({ listings: Type.Array(summarySchema) }, closed),
  uses: { listings: gatewayWide(listings) },
  async handle({ q = '', kind, category, limit: asked }, { listings }) {
    const limit = ROWS.of(asked)
    const where = { installable: true, ...(kind && { kind }), ...defined({ category }) }
    const found =
      q.trim() === ''
        ? (await listings.find({ where, sort: { slug: 1 }, limit, maxBytes: LIST_BYTES })).items
        : (await listings.search({ text: q, where, limit })).map(({ item }) => item)
    const list = new ListFill<Summary>(limit)
    for (const listing of found) list.add(showListing(listing))
    return { listings: list.rows }
  },
})
