import { contribute, repoActivity } from '@gateway/sdk'
import { atoms } from '../collections.ts'

export const atomsOfRepos = contribute(repoActivity, {
  uses: { atoms },
  create: ({ atoms }) => ({
    async of({ name: namespace, limit }) {
      const { items } = await atoms.find({ where: { branch: 'main', namespace }, sort: { seq: -1 }, limit })
      return {
        learned: items.map(({ path, kind, title, at }) => ({
          kind,
          id: path,
          title,
          at,
          page: `/brain?repo=${encodeURIComponent(namespace)}&query=${encodeURIComponent(title)}`,
        })),
      }
    },
  }),
})
