import { defineContribution, defineService } from '@gateway/sdk'

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
  /** Tells if a machine sent a heartbeat within the last 25 minutes, only earlier, or none has within 30 days. One or two reads. */
  heard(): Promise<'lately' | 'earlier' | 'never'>
}
export const runnerAddresses = defineService<RunnerAddresses>('runners.addresses')

/** Contributed by the family that knows the quotas of accounts. */
export interface AccountHeadroom {
  /** The reason why the account cannot work now, and when it can (ISO 8601). Undefined if it has room, or nothing is known of it. */
  exhausted(account: string): Promise<{ readonly reason: string; readonly until?: string } | undefined>
}
export const accountHeadroom = defineContribution<AccountHeadroom>('runners.account-headroom')
