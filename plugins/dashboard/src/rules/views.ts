import type { Infer } from '@gateway/sdk'
import type { StoredView, View } from '../schema.ts'

export const MAX_VIEWS = 100

export const shown = ({ ownerId: _owner, ...view }: Infer<typeof StoredView>): View => view
