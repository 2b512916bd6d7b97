import { BadRequest } from '@gateway/sdk'

export const badCursor = (field: string, got: string) =>
  BadRequest({ field, message: `${field} must be a cursor of this journal, or \`latest\`; got ${JSON.stringify(got.slice(0, 100))}.` })
