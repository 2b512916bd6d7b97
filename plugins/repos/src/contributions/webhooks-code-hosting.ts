import { codeHosting } from '@gateway/plugin-webhooks/api'
import { contribute, defined } from '@gateway/sdk'
import { cards, roster } from '../collections.ts'
import { writeCard } from '../operations/write-card.ts'

/** A push to a branch becomes the last push on the card of its repo, if there is a card or the roster has the repo. */
export const pushes = contribute(codeHosting, {
  uses: { cards, roster },
  create: ({ cards, roster }) => ({
    async pushed({ repo: { name }, branch, commit, by, receivedAt }, tx) {
      if (branch === undefined) return []
      const isKnown = (await cards.in(tx).get(name)) ?? (await roster.in(tx).get(name))
      if (!isKnown) return []
      const lastPush = { at: receivedAt, branch, ...defined({ commit, by }) }
      await writeCard(cards, name, { lastPush }, tx)
      return [name]
    },
  }),
})
