import { closed, defineTool, pages, Type } from '@gateway/sdk'
import { ledger } from '../collections.ts'

const PAGE = 1_000

export const backlogLedgerGet = defineTool({
  name: 'backlog_ledger_get',
  description: 'Read which backlog titles were consumed before, in the order in which they were added. Returns {count, titles}.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/backlog/ledger',
  input: Type.Object({}, closed),
  output: Type.Object({ count: Type.Integer(), titles: Type.Array(Type.String()) }, closed),
  uses: { ledger },
  async handle(_args, { ledger }, ctx) {
    const titles: string[] = []
    for await (const items of pages(ledger, { sort: { place: 1 }, limit: PAGE })) {
      titles.push(...items.map(({ title }) => title))
      if (ctx.signal.aborted) break
    }
    return { count: titles.length, titles }
  },
})
