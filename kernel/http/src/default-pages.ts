import type { Plugin, PublicFiles } from '@gateway/sdk'
import type { FastifyInstance, RouteHandlerMethod, RouteShorthandOptions } from 'fastify'

/** Pages that the gateway serves unless a plugin declares files that replace them. */
export class DefaultPages {
  readonly #replaced: ReadonlySet<string>
  readonly #paths = new Set<string>()

  constructor(plugins: readonly Plugin[]) {
    const replacing = plugins.flatMap(({ publicFiles }) => publicFiles).filter(({ replacesDefault }) => replacesDefault)
    this.#replaced = new Set(replacing.flatMap(({ paths }) => paths))
  }

  /** Registers a page of the gateway, unless it is replaced. */
  get(app: FastifyInstance, path: string, options: RouteShorthandOptions, handler: RouteHandlerMethod): void {
    this.#paths.add(path)
    if (!this.#replaced.has(path)) app.get(path, options, handler)
  }

  /** Says what is wrong with serving `files` at `path`. Known when all pages of the gateway are registered. */
  faultOf({ id, replacesDefault }: PublicFiles, path: string): string | undefined {
    const isDefault = this.#paths.has(path)
    if (replacesDefault && !isDefault)
      return `${id} replaces no page of the gateway at ${path}; pages that can be replaced: ${[...this.#paths].join(', ')}`
    if (isDefault && !replacesDefault) return `${id}: the gateway serves a page at ${path}; set replacesDefault to take its place`
    return undefined
  }
}
