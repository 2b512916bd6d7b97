export interface Owner {
  readonly plugin: string
  readonly operation: string
  /** The call that this one makes is the call that its idempotency key is for. */
  readonly forwards?: boolean
}
