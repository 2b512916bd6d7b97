import { settingsSchema } from '@gateway/settings'
import type { Env } from './command.ts'

const SETTINGS = new Set(
  Object.values((settingsSchema as { properties: Record<string, { env?: string }> }).properties).flatMap(({ env }) => env ?? []),
)

export function ownVariables(env: Env): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('GATEWAY_') || SETTINGS.has(name))
    .sort()
}
