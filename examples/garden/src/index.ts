import { type AttentionSource, attentionSource, contribute, definePlugin, now } from '@gateway/sdk'
import { beds } from './beds.ts'
import { bed, garden } from './pages.ts'
import { clear, dig, list, look, water } from './tools.ts'

const THREE_DAYS = 3 * 86_400

/** Lists beds that nobody has watered as waiting for a person. */
const thirsty = contribute(attentionSource, {
  uses: { beds },
  create: ({ beds }): AttentionSource => ({
    kind: 'thirsty-bed',
    capability: 'work',
    async look(limit) {
      const where = { wateredAt: { lt: now(-THREE_DAYS) } } as const
      const [count, { items }] = await Promise.all([beds.count(where, { max: 1_000 }), beds.find({ where, sort: { wateredAt: 1 }, limit })])
      return {
        count,
        items: items.map(({ bedId, plant, wateredAt }) => ({
          id: bedId,
          title: `${plant} is thirsty`,
          tone: 'warn',
          at: wateredAt,
          link: { to: '/garden/:bedId', with: { bedId } },
        })),
      }
    },
  }),
})

export default definePlugin({
  id: 'garden',
  sdk: '^1.0.0',
  description: 'Garden beds, their plants, and the times they were watered.',
  collections: [beds],
  tools: [list, look, dig, water, clear],
  pages: [garden, bed],
  contributes: [thirsty],
})
