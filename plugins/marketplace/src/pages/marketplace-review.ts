import { arg, definePage, Panel } from '@gateway/sdk'
import { reviewDelist } from '../routes/review-delist.ts'
import { reviewPublish } from '../routes/review-publish.ts'
import { reviewSuspend } from '../routes/review-suspend.ts'
import { reviewsList } from '../routes/reviews-list.ts'

const version = { slug: arg.row('/slug'), version: arg.row('/version') } as const

export const marketplaceReviewPage = definePage({
  path: '/marketplace/review',
  title: 'Marketplace review',
  description: 'Versions that tenants have submitted for publication.',
  icon: 'store',
  group: 'library',
  order: 30,
  panels: [
    Panel.table({
      id: 'reviews',
      title: 'Waiting for a review',
      from: reviewsList,
      rows: '/versions',
      key: '/manifestHash',
      columns: {
        Title: '/title',
        Kind: { value: '/kind', format: 'badge' },
        Version: { value: '/version', format: 'code' },
        Status: { value: '/status', format: 'badge', tones: { in_review: 'warn', published: 'good', suspended: 'bad' } },
        What: '/description',
        Tools: { value: '/tools', format: 'code' },
        Size: { value: '/artifactBytes', format: 'bytes' },
        Submitted: { value: '/submittedAt', format: 'time' },
      },
      actions: [
        {
          id: 'publish',
          label: 'Publish',
          icon: 'check',
          tone: 'primary',
          tool: reviewPublish,
          arguments: version,
          confirm: { object: arg.row('/title'), text: 'Every tenant can install it.' },
        },
        {
          id: 'suspend',
          label: 'Suspend',
          icon: 'pause',
          tool: reviewSuspend,
          arguments: version,
          confirm: { object: arg.row('/title'), text: 'This version cannot be installed until it is published again.' },
        },
        {
          id: 'delist',
          label: 'Delist',
          icon: 'circle-x',
          tool: reviewDelist,
          arguments: version,
          confirm: { object: arg.row('/title'), text: 'It is not listed any more.' },
        },
      ],
      empty: 'No versions wait for a review.',
    }),
  ],
})
