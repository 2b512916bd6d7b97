import { on, tenantBegan } from '@gateway/sdk'
import { activation } from '../api.ts'

export const onBegan = on(tenantBegan, {
  uses: { activation },
  handle: (_payload, { activation }) => activation.record('init'),
})
