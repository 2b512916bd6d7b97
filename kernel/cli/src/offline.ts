import type { ContributionRef, Plugin } from '@gateway/sdk'

/** Plugins and their settings, with no gateway around them. */
export interface Offline {
  readonly plugins: readonly Plugin[]
  /** By config id. */
  readonly configs: ReadonlyMap<string, unknown>
}

/** What plugins contribute to a point of the command line. They get their settings there, since nothing else runs. */
export function contributed<T>(to: ContributionRef<T>, { plugins, configs }: Offline): readonly T[] {
  return plugins.flatMap((plugin) =>
    plugin.contributes
      .filter((contribution) => contribution.to.id === to.id)
      .map(({ uses, create }) => {
        const resolved = Object.entries(uses).map(([name, ref]) => {
          if (ref.kind === 'config') return [name, configs.get(ref.id)] as const
          throw new Error(`plugin '${plugin.id}' contributes to ${to.id}, where no gateway runs, and uses the ${ref.kind} ${ref.id} there`)
        })
        return create(Object.fromEntries(resolved) as never, undefined as never) as T
      }),
  )
}
