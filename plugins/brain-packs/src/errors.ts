import { defineError, Type } from '@gateway/sdk'

export const VersionPublished = defineError('VERSION_PUBLISHED', {
  status: 409,
  description: 'This version of the pack is published, and a published version is never changed: publish a higher one.',
  details: Type.Object({ id: Type.String(), version: Type.String() }),
  message: ({ id, version }) => `${id} ${version} is published and stays as it is: publish a higher version.`,
})

export const HasHistory = defineError('BRAIN_HAS_HISTORY', {
  status: 409,
  description: 'The brain has sessions already, and a starter pack is for a new one. With force it is seeded all the same.',
  details: Type.Object({ pack: Type.String() }),
  message: ({ pack }) => `The brain has session history already; to put ${pack} into it all the same, say force: true.`,
})
