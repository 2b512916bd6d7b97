import { resourceUri } from '@gateway/sdk'

export const PLAN_URI = 'plan://{repo}'
export const planUri = (repo: string): string => resourceUri(PLAN_URI, { repo })
