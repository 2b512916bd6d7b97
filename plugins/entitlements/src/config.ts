import { closed, defineConfig, Type } from '@gateway/sdk'
import { FEATURES, LIMITS } from './rules/plans.ts'

const optionalEach = <K extends string, S>(names: readonly K[], schema: S) =>
  Object.fromEntries(names.map((name) => [name, schema])) as Record<K, S>

const features = Type.Optional(Type.Object(optionalEach(FEATURES, Type.Optional(Type.Boolean())), closed))
const amount = Type.Optional(Type.Union([Type.Number({ minimum: 0 }), Type.Null()], { description: 'null: unlimited.' }))
const terms = Type.Optional(Type.Object({ features, limits: Type.Optional(Type.Object(optionalEach(LIMITS, amount), closed)) }, closed))

export const config = defineConfig(
  'entitlements',
  Type.Object(
    {
      plans: Type.Object(
        { free: terms, solo: terms, team: terms, scale: terms },
        { ...closed, default: {}, description: 'Overrides of the table of plans: features and limits by plan.' },
      ),
    },
    closed,
  ),
)
