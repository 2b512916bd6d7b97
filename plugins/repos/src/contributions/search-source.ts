import { contribute, searchSource } from '@gateway/sdk'
import { nearest } from '@gateway/sdk/near'
import { roster } from '../collections.ts'

const MAX_REPOS = 2_000

export const repoSearch = contribute(searchSource, {
  uses: { roster },
  create: ({ roster }) => ({
    kind: 'repo',
    names: {
      fields: ['repo'],
      list: async (limit) => (await roster.find({ sort: { name: 1 }, limit })).items.map(({ name }) => name),
    },
    async find(query, limit) {
      const { items } = await roster.find({ sort: { name: 1 }, limit: MAX_REPOS })
      return nearest(query, items, ({ name, gitRemote = '' }) => `${name} ${gitRemote}`, limit).map(({ name, gitRemote }) => ({
        id: name,
        title: name,
        ...(gitRemote !== undefined && { text: gitRemote }),
        link: { to: '/repos/:repo', with: { repo: name } },
      }))
    },
  }),
})
