import { codeHosting } from '@gateway/plugin-webhooks/api'
import { contribute, defined } from '@gateway/sdk'
import { cards, roster } from '../collections.ts'
import { listedRepos } from '../operations/listed.ts'
import { repoChanged } from '../operations/news.ts'
import { writeCard } from '../operations/write-card.ts'
import { operatorFiles } from '../services/operator-files.ts'

/** A push to a branch becomes the last push on the card of its repo, if there is a card, or the roster or the list of managed repos has the repo. */
export const pushes = contribute(codeHosting, {
  uses: { cards, roster, files: operatorFiles, changed: repoChanged },
  create: ({ cards, roster, files, changed }) => ({
    async pushed({ repo: { name }, branch, commit, by, receivedAt }, tx) {
      if (branch === undefined) return []
      const known = (await cards.in(tx).get(name)) ?? (await roster.in(tx).get(name))
      if (!known && !(await listedRepos(files)).some((repo) => repo.name === name)) return []
      const lastPush = { at: receivedAt, branch, ...defined({ commit, by }) }
      await writeCard(cards, name, { lastPush }, tx)
      const news = { repo: name, by: 'push', fields: ['lastPush'], branch, ...defined({ commit }), at: receivedAt } as const
      await changed.emit({ ...news, fields: [...news.fields] }, tx)
      return [name]
    },
  }),
})
