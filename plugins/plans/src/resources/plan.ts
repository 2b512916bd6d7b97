import { resourceOf } from '@gateway/sdk'
import { PLAN_URI } from '../rules/plan-uri.ts'
import { planList } from '../tools/plan-list.ts'

export const planResource = resourceOf(planList, {
  uri: PLAN_URI,
  name: 'plan',
  description: 'The plan of a repo, day by day. Subscribers are notified when days are set, deleted or restored.',
})
