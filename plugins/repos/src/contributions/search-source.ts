import { contribute, searchSource } from '@gateway/sdk'
import { nearest } from '@gateway/sdk/near'
import { someRepos, someReposUses } from '../operations/listed.ts'

const MAX_REPOS = 2_000

export const repoSearch = contribute(searchSource, {
  uses: someReposUses,
  create: (refs, ctx) => ({
    kind: 'repo',
    names: {
      fields: ['repo'],
      list: async (limit) => (await someRepos(refs, ctx, limit)).map(({ name }) => name),
    },
    async find(query, limit) {
      const known = await someRepos(refs, ctx, MAX_REPOS)
      return nearest(query, known, ({ name, gitRemote = '' }) => `${name} ${gitRemote}`, limit).map(({ name, gitRemote }) => ({
        id: name,
        title: name,
        ...(gitRemote !== undefined && { text: gitRemote }),
        link: { to: '/repos/:repo', with: { repo: name } },
      }))
    },
  }),
})
