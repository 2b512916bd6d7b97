import { resourceOf } from '@gateway/sdk'
import { BRIEF_URI } from '../rules/brief-uri.ts'
import { brainLookup } from '../tools/brain-lookup.ts'

export const briefResource = resourceOf(brainLookup, {
  uri: BRIEF_URI,
  name: 'brief',
  description:
    'The compiled brief of a repo, with its topics. Subscribers are notified when atoms are committed, merged, reverted or forgotten.',
})
