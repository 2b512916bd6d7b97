import { defineCollection, Type } from '@gateway/sdk'
import { loadSettings } from '@gateway/settings'
import { openSource, openTarget, type Target, targetAt } from '../../../bin/cli/src/migration-stores.ts'
import { checkTarget, type MigrateOptions } from '../src/migration/migrate.ts'

const Thing = Type.Object({
  id: Type.String(),
  name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  n: Type.Optional(Type.Number()),
  until: Type.Optional(Type.String()),
  data: Type.Optional(Type.Object({})),
})
export const things = defineCollection('things', {
  schema: Thing,
  key: 'id',
  text: ['name'],
  indexes: [{ keys: { n: 1 } }, { keys: { until: 1 }, expireAfterSeconds: 1 }],
})
export const seats = defineCollection('seats', {
  schema: Type.Object({ id: Type.String(), holder: Type.String() }),
  key: 'id',
  indexes: [{ keys: { holder: 1 }, unique: true }],
})
export const collections = [things, seats]

/** Both sides open for the duration of `work`, as the command opens them. */
export async function migrating<T>(
  env: Readonly<Record<string, string>>,
  address: string,
  alone: boolean,
  work: (options: MigrateOptions) => Promise<T>,
): Promise<T> {
  const settings = loadSettings({ env, cwd: '/' })
  const target = targetAt(address, settings, '/') as Target
  const source = await openSource(settings, alone, { GATEWAY_PORT: '1' })
  try {
    const opened = await openTarget(target, collections, (rows) => checkTarget(source.rows, rows))
    try {
      const sides = { source: source.rows, target: opened.rows, writer: opened.writer }
      return await work({ sides, collections, now: () => new Date(), progress() {} })
    } finally {
      await opened.close()
    }
  } finally {
    await source.close()
  }
}
