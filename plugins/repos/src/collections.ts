import { defineCollection } from '@gateway/sdk'
import { RosterEntry } from './schema.ts'

/** A tenant’s repos by name. The index is the order of the list. */
export const roster = defineCollection('repos', { schema: RosterEntry, key: 'name' })
