import { atomically, closed, defineTool, keyText, Type } from '@gateway/sdk'
import { ledger } from '../collections.ts'

export const backlogLedgerAdd = defineTool({
  name: 'backlog_ledger_add',
  description:
    'Mark titles of the backlog as consumed, all or none. A title is compared letter by letter, and one that is in the ledger stays there once. Returns {added}, the titles that are new to it.',
  capability: 'work',
  effect: 'write',
  idempotent: true,
  rest: 'POST /api/backlog/ledger',
  input: Type.Object(
    {
      titles: Type.Array(Type.String({ minLength: 1, maxLength: 500, rule: keyText }), {
        minItems: 1,
        maxItems: 1_000,
        description: 'Titles exactly as in the backlog file, at most 1000.',
      }),
    },
    closed,
  ),
  output: Type.Object({ added: Type.Array(Type.String()) }, closed),
  uses: { ledger, atomically },
  async handle({ titles }, { ledger, atomically }, ctx) {
    const named = [...new Set(titles)]
    return atomically(async (tx) => {
      const known = new Set((await ledger.in(tx).getMany(named)).map(({ title }) => title))
      const added = named.filter((title) => !known.has(title))
      // Uses an upsert, because on a distributed store another caller may add the same title between the check and the write.
      for (const title of added) await ledger.in(tx).upsert({ title, place: ctx.newId('') }, {})
      return { added }
    })
  },
})
