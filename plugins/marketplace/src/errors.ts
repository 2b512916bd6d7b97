import { closed, defineError, type Infer, Type } from '@gateway/sdk'

/** Checks between a manifest and the review, in this order. */
const PUBLISH_CHECKS = ['schema', 'tools', 'version', 'injection'] as const
/** Checks between a listing and its installation, in this order; `storage` checks the artifact just written. */
const INSTALL_CHECKS = ['listing', 'published', 'yanked', 'free', 'integrity', 'installed'] as const

export const Rejection = Type.Object(
  {
    check: Type.Enum([...PUBLISH_CHECKS, 'storage', ...INSTALL_CHECKS], {
      description: 'The check that failed; later checks did not run.',
    }),
    reason: Type.String(),
    field: Type.Optional(Type.String({ description: 'Field of the manifest, or argument.' })),
    pattern: Type.Optional(Type.String({ description: 'For the check injection: name of the pattern.' })),
  },
  closed,
)
export type Rejection = Infer<typeof Rejection>

export const MarketplaceRejected = defineError('MARKETPLACE_REJECTED', {
  status: 422,
  description:
    'The marketplace rejects this submission or installation. `details.check` names the check that failed: for a submission schema, tools, version or injection; for an installation listing, published, yanked, free, integrity or installed.',
  details: Rejection,
  message: ({ check, reason }) => `Rejected by the check ${check}: ${reason}`,
})
