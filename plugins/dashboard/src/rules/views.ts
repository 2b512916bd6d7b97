import type { Infer } from '@gateway/sdk'
import type { StoredView, View } from '../schema.ts'

/** Views that a caller may keep. */
export const MAX_VIEWS = 100

export const shown = ({ ownerId: _owner, ...view }: Infer<typeof StoredView>): View => view
