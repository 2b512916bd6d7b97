import { defineError, Type } from '@gateway/sdk'

export const VersionPublished = defineError('VERSION_PUBLISHED', {
  status: 409,
  description: 'This version of the pack is published, and published versions never change. Publish a higher version.',
  details: Type.Object({ id: Type.String(), version: Type.String() }),
  message: ({ id, version }) => `${id} ${version} is published and cannot change; publish a higher version.`,
})

export const HasHistory = defineError('BRAIN_HAS_HISTORY', {
  status: 409,
  description: 'The brain already has sessions, and a starter pack is meant for a new brain. Set force to seed it anyway.',
  details: Type.Object({ pack: Type.String() }),
  message: ({ pack }) => `The brain already has sessions; to seed it with ${pack} anyway, set force to true.`,
})
