import { arg, definePage, Panel } from '@gateway/sdk'
import { reviewDelist } from '../routes/review-delist.ts'
import { reviewPublish } from '../routes/review-publish.ts'
import { reviewsList } from '../routes/reviews-list.ts'

/** The submission of this row and of this author, as the page shows it. */
const submission = {
  slug: arg.row('/slug'),
  version: arg.row('/version'),
  authorTenantId: arg.row('/authorTenantId'),
  ifUpdatedAt: arg.row('/updatedAt'),
} as const

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
      key: '/submissionId',
      columns: {
        Title: '/title',
        Kind: { value: '/kind', format: 'badge' },
        Author: { value: '/authorTenantId', format: 'code' },
        Slug: { value: '/slug', format: 'code' },
        Version: { value: '/version', format: 'code' },
        Status: { value: '/status', format: 'badge', tones: { in_review: 'warn', published: 'good', suspended: 'bad' } },
        What: '/description',
        Tools: { value: '/tools', format: 'code' },
        Size: { value: '/artifactBytes', format: 'bytes' },
        Artifact: { value: '/manifestHash', format: 'code' },
        Submitted: { value: '/updatedAt', format: 'time' },
      },
      actions: [
        {
          id: 'publish',
          label: 'Publish',
          icon: 'check',
          tone: 'primary',
          tool: reviewPublish,
          arguments: submission,
          confirm: { object: arg.row('/title'), text: 'Every tenant can install it.' },
        },
        {
          id: 'delist',
          label: 'Delist',
          icon: 'circle-x',
          tool: reviewDelist,
          arguments: submission,
          confirm: { object: arg.row('/title'), text: 'It is not listed any more.', typed: true },
        },
      ],
      empty: 'No versions wait for a review.',
    }),
  ],
})
