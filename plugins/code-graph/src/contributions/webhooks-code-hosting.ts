import { codeHosting } from '@gateway/plugin-webhooks/api'
import { contribute, defined, now } from '@gateway/sdk'
import { pulls } from '../collections.ts'

const MAX_FAILING = 20
const MAX_PULLS_RECOMPUTED_AFTER_PUSH = 100

/** Keeps the open pull requests, and lets their risk be worked out again when their commit or the code of their repo has changed. */
export const openPulls = contribute(codeHosting, {
  uses: { pulls },
  create: ({ pulls }) => ({
    async pullRequest({ url, repo: { name: repo }, number, title, branch, base, commit, state, receivedAt: at }, tx) {
      if (state !== 'open') return (await pulls.in(tx).deleteOne(url)) ? [url] : []
      const before = await pulls.in(tx).get(url)
      const isNew = before === undefined || before.commit !== commit || before.base !== base
      const about = { repo, number, title, branch, base, ...defined({ commit }), updatedAt: at }
      const fresh = { nextTryAt: at, attempts: 0, failing: [] as string[] }
      const set = { ...about, ...(isNew && fresh) }
      await pulls.in(tx).upsert({ url, openedAt: at, ...about, ...fresh }, { set, ...(isNew && { unset: ['risk', 'level'] as const }) })
      return [url]
    },
    async pushed({ repo: { name: repo } }, tx) {
      const { items } = await pulls.in(tx).find({ where: { repo }, sort: { openedAt: 1 }, limit: MAX_PULLS_RECOMPUTED_AFTER_PUSH })
      for (const { url } of items) await pulls.in(tx).updateOne(url, { set: { nextTryAt: now(), attempts: 0 } })
      return []
    },
    async checked({ name, failed, commit, pullRequests }, tx) {
      const changed: string[] = []
      for (const pull of await pulls.in(tx).getMany(pullRequests)) {
        const failing = [...pull.failing.filter((one) => one !== name), ...(failed ? [name] : [])].slice(-MAX_FAILING)
        if (pull.commit !== commit || failing.join() === pull.failing.join()) continue
        await pulls.in(tx).updateOne(pull.url, { set: { failing } })
        changed.push(pull.url)
      }
      return changed
    },
  }),
})
