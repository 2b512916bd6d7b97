import { resourceUri } from '@gateway/sdk'

export const BRIEF_URI = 'brief://{repo}'
export const briefUri = (repo: string): string => resourceUri(BRIEF_URI, { repo })
