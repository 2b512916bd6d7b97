export interface MethodFacts {
  /** The parameter that the header `Mcp-Name` repeats. */
  readonly name?: 'name' | 'uri' | 'taskId'
  /** May answer with questions in place of a result. */
  readonly asks?: true
  /** Belongs to the tasks extension, which a client must have declared. */
  readonly ofTasks?: true
  /** Time and scope in which a complete result may be cached. */
  readonly cache?: { readonly ttlMs: number; readonly scope: 'public' | 'private' }
}

/**
 * Lists change with the running plugins, which takes a restart, or with an event that listeners receive: five minutes is the
 * delay for a client that does not listen. Tools depend on the caller's role and prompts on its tenant, so both are private;
 * resources are the same for everyone.
 */
const LIST_MS = 300_000
/** The boot bundle describes the state of work, which changes every minute, and names the caller. */
const DISCOVER_MS = 60_000

const METHODS: Readonly<Record<string, MethodFacts>> = {
  'server/discover': { cache: { ttlMs: DISCOVER_MS, scope: 'private' } },
  'tools/list': { cache: { ttlMs: LIST_MS, scope: 'private' } },
  'tools/call': { name: 'name', asks: true },
  'prompts/list': { cache: { ttlMs: LIST_MS, scope: 'private' } },
  'prompts/get': { name: 'name', asks: true },
  'resources/list': { cache: { ttlMs: LIST_MS, scope: 'public' } },
  'resources/templates/list': { cache: { ttlMs: LIST_MS, scope: 'public' } },
  // Contents may change at any moment and depend on the tenant; a client that caches them subscribes.
  'resources/read': { name: 'uri', asks: true, cache: { ttlMs: 0, scope: 'private' } },
  'completion/complete': {},
  'subscriptions/listen': {},
  'tasks/get': { name: 'taskId', ofTasks: true },
  'tasks/update': { name: 'taskId', ofTasks: true },
  'tasks/cancel': { name: 'taskId', ofTasks: true },
}

/** Every method of this protocol; further methods of earlier versions do not exist. */
export const methods: ReadonlyMap<string, MethodFacts> = new Map(Object.entries(METHODS))
