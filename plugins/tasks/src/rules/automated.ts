import type { CallContext } from '@gateway/sdk'

/** True for callers that are no person: they cannot authorize mass blocking. */
export const isAutomated = ({ principal: { kind } }: CallContext): boolean => kind === 'system' || kind === 'api-key'
