import { type Principal, principalName } from '@gateway/sdk'
import type { Card } from '../schema.ts'

type Reporter = Partial<Pick<Card, 'reportedBy' | 'reportedByPrincipal'>>

/**
 * The reporter of these fields and the principal beside it. A status has the label of the caller's key as its reporter, unless the caller
 * names one; an empty reporter removes both.
 */
export function reporterOf({ reportedBy, lastStatus }: Partial<Pick<Card, 'reportedBy' | 'lastStatus'>>, principal: Principal): Reporter {
  const name = reportedBy ?? (lastStatus ? principal.label : undefined)
  if (name === undefined) return {}
  return { reportedBy: name, reportedByPrincipal: name === '' ? '' : principalName(principal) }
}
