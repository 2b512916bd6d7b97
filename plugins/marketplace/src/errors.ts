import { closed, defineError, type Infer, Type } from '@gateway/sdk'

/** Checks between a manifest and the review, in this order. */
const PUBLISH_CHECKS = ['schema', 'tools', 'version', 'injection'] as const
/** Checks between a listing and its installation, in this order; `storage` checks the artifact just written. */
const INSTALL_CHECKS = ['listing', 'published', 'yanked', 'free', 'integrity', 'installed'] as const

export const Rejection = Type.Object(
  {
    check: Type.Enum([...PUBLISH_CHECKS, 'storage', ...INSTALL_CHECKS], {
      description: 'The check that failed; those after it were not made.',
    }),
    reason: Type.String(),
    field: Type.Optional(Type.String({ description: 'The field of the manifest, or the argument.' })),
    pattern: Type.Optional(Type.String({ description: 'Of the check injection: the name of the pattern.' })),
  },
  closed,
)
export type Rejection = Infer<typeof Rejection>

export const MarketplaceRejected = defineError('MARKETPLACE_REJECTED', {
  status: 422,
  description:
    'The marketplace does not take this submission, or does not install this. `details.check` names the check that failed: of a submission schema, tools, version or injection; of an installation listing, published, yanked, free, integrity or installed.',
  details: Rejection,
  message: ({ check, reason }) => `Rejected by the check ${check}: ${reason}`,
})
