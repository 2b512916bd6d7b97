import type { Gateway } from '@gateway/kernel'

/** Calls of operations that declare `repairsText` have halves of surrogate pairs repaired rather than refused. */
export class TextRepair {
  readonly #operations = new Set<string>()
  /** Tools that pass calls on, with the argument that names the tool they call. */
  readonly #forwarding = new Map<string, string>()

  constructor({ tools, routes }: Gateway['inventory']) {
    for (const { item } of [...tools.values(), ...routes.values()]) if (item.repairsText) this.#operations.add(item.name)
    for (const { item } of tools.values()) if (item.forwardsTo !== undefined) this.#forwarding.set(item.name, item.forwardsTo)
  }

  ofCall(name: unknown, args: unknown): boolean {
    const argument = this.#forwarding.get(name as string)
    const called = argument === undefined ? name : (args as Record<string, unknown> | null)?.[argument]
    return this.#operations.has(called as string)
  }

  /** Returns true for an MCP message that is such a call, or a batch of such calls. */
  ofMessage(message: unknown): boolean {
    if (Array.isArray(message)) return message.every((one) => this.ofMessage(one))
    const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown; arguments?: unknown } | null }
    return method === 'tools/call' && this.ofCall(params?.name, params?.arguments)
  }
}
