import type { RouteOptions } from 'fastify'
import type { Describe } from './openapi/operation.ts'

/** A route of the router, such as `/api/tasks/:id`. */
export interface ServedRoute {
  readonly method: string
  readonly path: string
  readonly describe: Describe | undefined
}

/** Every path for programs with its methods; filled as routes are registered. */
export class ServedRoutes {
  readonly #routes: ServedRoute[] = []

  add({ method, url, config, schema }: RouteOptions): void {
    // Files for browsers, which have no description, are hidden from programs.
    if (config?.credential === 'none' && schema?.describe === undefined) return
    for (const one of [method].flat()) {
      // HEAD needs no description: it is GET without the body.
      this.#routes.push({ method: one, path: url, describe: one === 'HEAD' ? undefined : schema?.describe })
    }
  }

  [Symbol.iterator](): Iterator<ServedRoute> {
    return this.#routes.values()
  }
}
