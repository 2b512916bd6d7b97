import { contribute, searchSource } from '@gateway/sdk'
import { nearest } from '@gateway/sdk/near'
import { swarms } from '../collections.ts'
import { STATUSES } from '../schema.ts'

/** Number of the newest swarms of each status that are compared. */
const RECENT = 100

export const swarmSearch = contribute(searchSource, {
  uses: { swarms },
  create: ({ swarms }) => ({
    kind: 'swarm',
    async find(query, limit) {
      const pages = await Promise.all(STATUSES.map((status) => swarms.find({ where: { status }, sort: { createdAt: -1 }, limit: RECENT })))
      const all = pages.flatMap(({ items }) => items)
      return nearest(query, all, ({ goal, repo }) => `${goal} ${repo}`, limit).map(({ swarmId, goal, repo, status, updatedAt }) => ({
        id: swarmId,
        title: goal,
        text: `${status} in ${repo}`,
        at: updatedAt,
        link: { to: '/swarms/:swarmId', with: { swarmId } },
      }))
    },
    titles: async (ids) => Object.fromEntries((await swarms.getMany(ids)).map(({ swarmId, goal }) => [swarmId, goal])),
  }),
})
