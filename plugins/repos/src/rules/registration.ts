import type { SOURCES } from '../schema.ts'

/** Arguments with which `repos_upsert` registers a repo, or completes its registration. */
export interface Registration {
  readonly name: string
  readonly path?: string
  readonly gitRemote?: string
  readonly source: (typeof SOURCES)[number]
  readonly enabled?: boolean
}

export function registrationHint(name: string): string {
  return `${JSON.stringify(name)} is not registered: its state and handoffs are kept in the store. Register it with repos_upsert {"name": ${JSON.stringify(name)}, "path": …, "gitRemote": …}; the code graph and repos_status work from its path.`
}
