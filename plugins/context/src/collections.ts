import { defineCollection } from '@gateway/sdk'
import { Meter } from './schema.ts'

export const meters = defineCollection('context.meters', {
  schema: Meter,
  key: 'meterId',
  indexes: [
    { keys: { kind: 1, period: 1, repo: 1 } },
    { keys: { kind: 1, period: 1, maxMilliseconds: -1 } },
    { keys: { kind: 1, period: 1, savedCharacters: -1 } },
  ],
})
