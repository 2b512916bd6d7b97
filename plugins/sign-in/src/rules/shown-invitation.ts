import type { Infer } from '@gateway/sdk'
import type { Invitation, StoredInvitation } from '../schema.ts'

export const shownInvitation = ({ hash: _secret, madeBy: _maker, ...shown }: StoredInvitation): Infer<typeof Invitation> => shown
