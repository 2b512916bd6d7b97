import { defineError, Type } from '@gateway/sdk'

export const FileUnusable = defineError('STATE_FILE_UNUSABLE', {
  status: 409,
  description: 'A state or handoff file cannot be read or written; the operator must repair what `fault` says. Nothing was changed.',
  details: Type.Object({ file: Type.String(), fault: Type.String() }),
  message: ({ file, fault }) => `${file}: ${fault}. Nothing was changed.`,
})
