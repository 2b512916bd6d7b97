import { defineTool, Type } from '@gateway/sdk'
import { ledger } from '../collections.ts'

const PAGE = 1_000

export const backlogLedgerGet = defineTool({
  name: 'backlog_ledger_get',
  description: 'Read which backlog titles were consumed before, in the order in which they were added. Returns {count, titles}.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/backlog/ledger',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({ count: Type.Integer(), titles: Type.Array(Type.String()) }, { additionalProperties: false }),
  uses: { ledger },
  async handle(_args, { ledger }, ctx) {
    const titles: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await ledger.find({ sort: { place: 1 }, limit: PAGE, ...(cursor !== undefined && { cursor }) })
      titles.push(...page.items.map(({ title }) => title))
      cursor = page.nextCursor
      if (cursor === undefined || ctx.signal.aborted) break
    }
    return { count: titles.length, titles }
  },
})
