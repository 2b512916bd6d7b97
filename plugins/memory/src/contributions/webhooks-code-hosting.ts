import { codeHosting } from '@gateway/plugin-webhooks/api'
import { contribute } from '@gateway/sdk'
import { memory } from '../api.ts'

/** Origin of its texts: anyone who may open a pull request or push writes them. */
const OUTSIDE = 'code-hosting'

/** Merged pull requests and pushed commits become chunks, in the transaction that acknowledges the webhook. */
export const hostedCode = contribute(codeHosting, {
  uses: { memory },
  create: ({ memory }) => ({
    async pushed({ repo: { name: repo }, branch, commits = [] }, tx) {
      if (branch === undefined) return []
      for (const { id, message, at } of commits) {
        const about = { repo, source: 'commit', title: `Commit ${id.slice(0, 10)}`, tags: [`branch:${branch}`], createdAt: at } as const
        await memory
          .in(tx)
          .addToOrigin(`${OUTSIDE}:${repo}/commit/${id}`, [{ ...about, markdown: message, outside: OUTSIDE, cut: 'sections' }])
      }
      return []
    },
    async pullRequest({ repo: { name: repo }, number, state, title, text, receivedAt }, tx) {
      if (state !== 'merged') return []
      const about = { repo, source: 'pr', title: `Pull request #${number}`, createdAt: receivedAt } as const
      const markdown = text.trim() === '' ? title : `${title}\n\n${text}`
      await memory.in(tx).addToOrigin(`${OUTSIDE}:${repo}/pr/${number}`, [{ ...about, markdown, outside: OUTSIDE, cut: 'headings' }])
      return []
    },
  }),
})
