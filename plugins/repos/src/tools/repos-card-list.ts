import { allOf, closed, defined, defineTool, Type } from '@gateway/sdk'
import { cards } from '../collections.ts'
import { ManagedReposInvalid } from '../errors.ts'
import { knownRepos, knownReposUses } from '../operations/known-repos.ts'
import { Card } from '../schema.ts'

const { createdAt, updatedAt, ...fields } = Card.properties
const Row = Type.Object(
  {
    ...fields,
    // For a repo without a card this is the value from its list, which a person may have written.
    group: Type.Optional(Type.String({ description: 'Group in lists.' })),
    createdAt: Type.Optional(createdAt),
    updatedAt: Type.Optional(updatedAt),
    tracked: Type.Boolean({ description: 'In the roster or the list of managed repos.' }),
  },
  closed,
)

export const reposCardList = defineTool({
  name: 'repos_card_list',
  description:
    'List the app cards of all tracked repos, by name: addresses, deployment, last status. A repo without a card gets a bare one. Returns {count, cards}.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/repos/cards',
  input: Type.Object({}, closed),
  output: Type.Object({ count: Type.Integer(), cards: Type.Array(Row) }, closed),
  errors: [ManagedReposInvalid],
  uses: { cards, ...knownReposUses },
  async handle(_args, { cards, ...refs }, ctx) {
    const written = new Map((await allOf(cards, { sort: { repoName: 1 }, limit: 1_000 })).map((card) => [card.repoName, card]))
    const tracked = await knownRepos(refs, ctx)
    const names = new Set(tracked.map(({ name }) => name))
    const rows = tracked.map(({ name, group }) => ({
      ...(written.get(name) ?? { repoName: name, lastStatusLevel: 'unknown' as const, ...defined({ group }) }),
      tracked: true,
    }))
    // An app that is being made has its card before it has a repo.
    for (const card of written.values()) if (!names.has(card.repoName)) rows.push({ ...card, tracked: false })
    rows.sort((a, b) => (a.repoName < b.repoName ? -1 : 1))
    return { count: rows.length, cards: rows }
  },
})
