import { auditSearch, contribute, type SearchSource, searchSource } from '@gateway/sdk'

/** Names of tools and principals; anything else is in no record. */
const NAME = /^[\w.@/-]{3,100}$/

/** Finds what a principal did, and who called a tool, in the trail of the own tenant. */
export const auditSearchHits = contribute(searchSource, {
  uses: { audit: auditSearch },
  create: ({ audit }, ctx): SearchSource => ({
    kind: 'audit',
    capability: 'configure',
    async find(query, limit) {
      const name = query.trim()
      if (!NAME.test(name)) return []
      const pages = await Promise.all(
        (['principal', 'tool'] as const).map(async (of) => ({ of, page: await audit.search(ctx.tenantId, { [of]: name, limit }) })),
      )
      const found = pages.flatMap(({ of, page }) => page.records.map((record) => ({ of, record })))
      return found.slice(0, limit).map(({ of, record: { seq, at, tool, decision, principal } }) => ({
        id: String(seq),
        title: `${principal.label ?? principal.id} called ${tool}`,
        text: decision,
        at,
        link: { to: '/audit', with: { [of]: name } },
      }))
    },
  }),
})
