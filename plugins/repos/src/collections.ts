import { defineCollection } from '@gateway/sdk'
import { Card, RosterEntry } from './schema.ts'

/** A tenant’s repos by name. The index is the order of the list. */
export const roster = defineCollection('repos', { schema: RosterEntry, key: 'name' })

/** A tenant’s app directory: one card for each repo that somebody told of. */
export const cards = defineCollection('repos.cards', { schema: Card, key: 'repoName' })
