import { type AttentionItem, type AttentionSource, attentionSource, contribute } from '@gateway/sdk'
import { type Pull, pulls } from '../collections.ts'

const COUNT_UP_TO = 1_000

/** Open pull requests wait for a review, with their risk and their failing checks. */
export const pullsWait = contribute(attentionSource, {
  uses: { pulls },
  create: ({ pulls }): AttentionSource => ({
    kind: 'pull-request',
    capability: 'work',
    async look(limit) {
      const [count, { items }] = await Promise.all([pulls.count({}, { max: COUNT_UP_TO }), pulls.find({ sort: { openedAt: -1 }, limit })])
      return { count, items: items.map(item) }
    },
  }),
})

function item({ url, repo, number, title, level, risk, failing, openedAt: at }: Pull): AttentionItem {
  const weight = risk === undefined ? 'Its risk is not known: its commits are not in the folder of the repo.' : `Risk: ${level} (${risk}).`
  const checks = failing.length === 0 ? '' : ` Failing: ${failing.join(', ')}.`
  const tone = level === 'high' || failing.length > 0 ? 'warn' : 'info'
  return { id: url, title: `${repo}#${number} ${title}`.trim(), text: `${weight}${checks} ${url}`.slice(0, 500), tone, at }
}
