import { defineEvent, Type } from '@gateway/sdk'

/** The folders hold something else than the store: heard by this plugin itself, as `system`, which may write for all tenants. */
export const definitionsChanged = defineEvent('agents.definitions-changed', Type.Object({ revision: Type.String() }))
