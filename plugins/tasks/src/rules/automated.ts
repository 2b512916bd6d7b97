import type { CallContext } from '@gateway/sdk'

/** True for callers that are not a person: they cannot authorize mass blocking. */
export const isAutomated = ({ principal: { kind, byModel } }: CallContext): boolean =>
  byModel === true || kind === 'system' || kind === 'api-key'
