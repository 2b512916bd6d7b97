import { trashKind } from '@gateway/plugin-trash/api'
import { contribute } from '@gateway/sdk'
import { TRASH_KIND } from '../operations/trashing.ts'

export const trashedPlans = contribute(trashKind, { create: () => ({ kind: TRASH_KIND, restoreTool: 'plan_restore' }) })
