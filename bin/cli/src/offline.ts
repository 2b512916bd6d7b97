import { type ContributionRef, type GatewayInfo, gatewayInfo, type Plugin, type Ref, type ServiceRef } from '@gateway/sdk'

export interface Offline {
  readonly plugins: readonly Plugin[]
  /** Settings by config id. */
  readonly configs: ReadonlyMap<string, unknown>
}

type Uses = Readonly<Record<string, Ref<string, unknown>>>

/** Returns the contributions of plugins to a point of the command line: they get settings, and `services` if given. */
export function contributed<T>(to: ContributionRef<T>, offline: Offline, services?: OfflineServices): readonly T[] {
  return offline.plugins.flatMap((plugin) =>
    plugin.contributes
      .filter((contribution) => contribution.to.id === to.id)
      .map(({ uses, create }) => {
        const found = resolve(uses, offline, services, `plugin '${plugin.id}' contributes to ${to.id}`)
        return create(found as never, undefined as never) as T
      }),
  )
}

/**
 * Process services that need only the settings and folders of the gateway: each is created on first use, and all end together.
 */
export class OfflineServices implements AsyncDisposable {
  readonly #offline: Offline
  readonly #folders: Pick<GatewayInfo, 'dataDir' | 'root'>
  readonly #made = new Map<string, unknown>()

  constructor(offline: Offline, { dataDir, root }: Pick<GatewayInfo, 'dataDir' | 'root'>) {
    this.#offline = offline
    this.#folders = { dataDir, root }
  }

  /** Returns `undefined` if no plugin provides such a service. */
  get({ id, scope }: ServiceRef<unknown>): unknown {
    if (id === gatewayInfo.id) return this.#folders
    if (this.#made.has(id)) return this.#made.get(id)
    const provider = this.#offline.plugins.flatMap(({ provides }) => provides).find(({ ref }) => ref.id === id)
    if (!provider || scope !== 'process') return undefined
    const made = provider.create(resolve(provider.uses, this.#offline, this, `the service ${id} is made`) as never, undefined as never)
    this.#made.set(id, made)
    return made
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const service of [...this.#made.values()].reverse()) await (service as Partial<AsyncDisposable>)[Symbol.asyncDispose]?.()
  }
}

function resolve(uses: Uses, { configs }: Offline, services: OfflineServices | undefined, what: string): object {
  const found = Object.entries(uses).map(([name, ref]) => {
    if (ref.kind === 'config') return [name, configs.get(ref.id)] as const
    const service = ref.kind === 'service' ? services?.get(ref as ServiceRef<unknown>) : undefined
    if (service === undefined) throw new Error(`${what}, where no gateway runs, and uses the ${ref.kind} ${ref.id} there`)
    return [name, service] as const
  })
  return Object.fromEntries(found)
}
