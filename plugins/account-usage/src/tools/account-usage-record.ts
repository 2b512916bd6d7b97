import { closed, defineTool, LARGE_BODY_BYTES, LARGE_BODY_VALUES, Type } from '@gateway/sdk'
import { TooManyAccounts } from '../errors.ts'
import { record, recordUses } from '../operations/record.ts'
import { AssetInput, BucketInput, ReadingInput } from '../schema.ts'

const list = <S extends typeof BucketInput | typeof ReadingInput | typeof AssetInput>(items: S, maxItems: number, description: string) =>
  Type.Optional(Type.Array(items, { maxItems, description }))
const count = Type.Integer()

export const accountUsageRecord = defineTool({
  name: 'account_usage_record',
  description: 'Record how much of its quota each model account has used. Returns the counts.',
  capability: 'work',
  effect: 'write',
  idempotent: true,
  bodyLimitBytes: LARGE_BODY_BYTES,
  bodyLimitValues: LARGE_BODY_VALUES,
  input: Type.Object(
    {
      buckets: list(BucketInput, 5_000, 'Tokens by hour. One that is sent again replaces what was sent before.'),
      readings: list(ReadingInput, 200, 'Percentages, as a provider shows them.'),
      assets: list(AssetInput, 50, 'What an account has besides. One of the same kind and expiry replaces the one before.'),
    },
    closed,
  ),
  output: Type.Object(
    {
      accounts: count,
      buckets: Type.Object({ received: count, added: count, changed: count, unchanged: count }, closed),
      readings: count,
      assets: count,
    },
    closed,
  ),
  errors: [TooManyAccounts],
  uses: recordUses,
  handle: (sent, refs, ctx) => record(refs, sent, ctx),
})
