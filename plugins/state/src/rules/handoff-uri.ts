import { resourceUri } from '@gateway/sdk'

export const HANDOFF_URI = 'handoff://{repo}'
export const handoffUri = (repo: string): string => resourceUri(HANDOFF_URI, { repo })
