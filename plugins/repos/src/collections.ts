import { defineCollection } from '@gateway/sdk'
import { Card, RemoteName, StoredEntry } from './schema.ts'

/** A tenant’s repos by name. A clone is recognised by its remote, then by its folder. */
export const roster = defineCollection('repos', {
  schema: StoredEntry,
  key: 'name',
  indexes: [
    { keys: { remoteKey: 1 }, present: 'remoteKey' },
    { keys: { path: 1 }, present: 'path' },
  ],
})

/** Names of remotes that nobody has registered: the name is the key, so that two remotes cannot have the same. */
export const remoteNames = defineCollection('repos.remote-names', {
  schema: RemoteName,
  key: 'name',
  indexes: [{ keys: { remoteKey: 1 } }],
})

/** A tenant's app directory: one card for each reported repo. */
export const cards = defineCollection('repos.cards', { schema: Card, key: 'repoName' })
