import type { Update } from '@gateway/sdk'
import type { CuratedConnector } from '../api.ts'
import type { Stored } from '../collections.ts'
import { referred } from './references.ts'

/** Returns a curated connector as it is stored first. */
export function fresh(connector: CuratedConnector, at: string): Stored {
  const { env, requiresEnv, enabled = false, label, key, category, description, transport } = connector
  const reached =
    connector.transport === 'http' ? { url: connector.url } : { command: connector.command, args: [...(connector.args ?? [])] }
  return {
    key,
    label,
    category,
    transport,
    description,
    ...reached,
    ...(env && { envText: JSON.stringify(env) }),
    requiresEnv: [...(requiresEnv ?? referred({ ...reached, ...(env && { env: { ...env } }) }))],
    enabled,
    source: 'bundled',
    createdAt: at,
    updatedAt: at,
  }
}

/** Returns the update that brings a stored one up to date: everything but its switch and its creation time. */
export function refreshed(connector: CuratedConnector, at: string): Update<Stored> {
  const { key: _key, enabled: _enabled, createdAt: _createdAt, ...set } = fresh(connector, at)
  return { set, unset: (['url', 'command', 'args', 'envText'] as const).filter((field) => !(field in set)) }
}
