import { defineError, Type } from '@gateway/sdk'

export const ManagedReposInvalid = defineError('MANAGED_REPOS_INVALID', {
  status: 500,
  description: 'The list of managed repos is invalid; the operator must repair the named place in the file.',
  details: Type.Object({ file: Type.String(), place: Type.Optional(Type.String()), fault: Type.String() }),
  message: ({ file, place, fault }) => `${file}${place === undefined ? '' : `, ${place}`}: ${fault}`,
})
