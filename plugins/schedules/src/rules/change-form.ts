import { arg } from '@gateway/sdk'

/** Members of a schedule that its form changes; the form begins with their values. */
export const changedByForm = {
  name: arg.row('/name'),
  cronExpr: arg.row('/cronExpr'),
  message: arg.row('/message'),
  repo: arg.row('/repo'),
  deliverTo: arg.row('/deliverTo'),
} as const

export const changeForm = [...Object.keys(changedByForm), 'clear'] as const
