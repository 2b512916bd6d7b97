export class BootError extends Error {
  override readonly name = 'BootError'
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

export type Phase = 'load' | 'plan' | 'config' | 'storage' | 'wire' | 'start' | 'stop'

/** The kernel, not the author, names the plugin at fault: `plugin 'leases' failed in config: maxTtlSeconds …`. */
export function blame(plugin: string, phase: Phase, what: unknown): string {
  return `plugin '${plugin}' failed in ${phase}: ${what instanceof Error ? what.message : String(what)}`
}
