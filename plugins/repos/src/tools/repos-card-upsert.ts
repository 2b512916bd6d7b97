import { PlanLimitReached } from '@gateway/plugin-entitlements/api'
import { atomically, checkUnchanged, closed, defineTool, ifUpdatedAt, Type } from '@gateway/sdk'
import { repoChanged } from '../operations/news.ts'
import { leaveRoom, roomUses } from '../operations/room.ts'
import { writeCard } from '../operations/write-card.ts'
import { reporterOf } from '../rules/reporter.ts'
import { Card, cardFields, name } from '../schema.ts'

export const reposCardUpsert = defineTool({
  name: 'repos_card_upsert',
  description:
    "Write fields of a repo's app card: addresses, deployment, status. Omitted fields stay; an empty text removes its field. Returns {card, created}.",
  capability: 'work',
  effect: 'write',
  idempotent: true,
  rest: 'PUT /api/repos/cards/:repoName',
  subject: ['repoName'],
  input: Type.Object({ repoName: name, ...Type.Partial(Type.Object(cardFields)).properties, ifUpdatedAt }, closed),
  output: Type.Object({ card: Card, created: Type.Boolean() }, closed),
  errors: [PlanLimitReached],
  uses: { ...roomUses, atomically, changed: repoChanged },
  async handle({ repoName, ifUpdatedAt: expected, ...fields }, { plan, atomically, changed, ...refs }, { principal }) {
    const bound = await plan?.bound('repos')
    return atomically(async (tx) => {
      await leaveRoom(bound, repoName, refs, tx)
      if (expected !== undefined) checkUnchanged(await refs.cards.in(tx).get(repoName), expected)
      const written = await writeCard(refs.cards, repoName, { ...fields, ...reporterOf(fields, principal) }, tx)
      await changed.emit({ repo: repoName, by: 'card', fields: Object.keys(fields), at: written.card.updatedAt }, tx)
      return written
    })
  },
})
