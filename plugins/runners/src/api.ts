import { defineService } from '@gateway/sdk'

/** A machine that was heard of lately and has registered a mailbox address. */
export interface Reachable {
  readonly machine: string
  readonly address: string
  readonly capabilities: readonly string[]
}
/** Mailbox addresses that runners registered with `runner_heartbeat`. */
export interface RunnerAddresses {
  /** Address of a worker by its name: a machine, a holder, or a name that begins with its machine, such as `m2/lane-a/4711`. One or two reads. */
  of(name: string): Promise<string | undefined>
  /** Machines that sent a heartbeat within the last 25 minutes, in order of their names. At most 1,000. */
  live(): Promise<readonly Reachable[]>
}
export const runnerAddresses = defineService<RunnerAddresses>('runners.addresses')
