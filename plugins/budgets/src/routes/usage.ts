import { closed, defineRoute, Type } from '@gateway/sdk'
import { usage, usageUses } from '../operations/usage.ts'
import { periodFields, UsageRow } from '../schema.ts'

const name = (description: string) => Type.Optional(Type.String({ maxLength: 200, description }))

export const usageRoute = defineRoute({
  name: 'budgets.usage',
  description: 'List the model calls that cost money, newest first. Pass nextCursor as cursor for the next page.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/budgets/usage',
  credential: 'admin',
  input: Type.Object(
    {
      ...periodFields,
      channelId: name('Limits the rows to this channel.'),
      provider: name('Limits the rows to this provider.'),
      userId: name('Limits the rows to this member of the tenant.'),
      cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'createdAt of the last row of the previous page.' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, default: 50, description: 'Rows, at most 500; more means 500.' })),
    },
    closed,
  ),
  output: Type.Object({ rows: Type.Array(UsageRow), nextCursor: Type.Optional(Type.String()) }, closed),
  uses: usageUses,
  handle: (asked, refs) => usage(refs, asked),
})
