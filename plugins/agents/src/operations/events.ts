import { defineEvent, Type } from '@gateway/sdk'

/**
 * Published when the folders differ from the store. This plugin subscribes to it as `system`, which may write for all tenants.
 */
export const definitionsChanged = defineEvent('agents.definitions-changed', Type.Object({ revision: Type.String() }))
