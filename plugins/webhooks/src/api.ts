import { defineContribution, type Transaction } from '@gateway/sdk'

/** A repo as code hosting names it. */
export interface HostedRepo {
  /** Name of its folder: `gateway` of `acme/gateway`. */
  readonly name: string
  readonly fullName: string
}

/** A pushed branch or tag. Times are ISO 8601 in UTC. */
export interface CodePush {
  readonly repo: HostedRepo
  readonly branch?: string
  readonly tag?: string
  /** Its commit; undefined if it was deleted. */
  readonly commit?: string
  /** Author of the push, as code hosting names them. */
  readonly by?: string
  readonly receivedAt: string
}

/** A pull request that was opened, changed or closed. */
export interface CodePullRequest {
  readonly repo: HostedRepo
  readonly number: number
  readonly url: string
  readonly state: 'open' | 'closed' | 'merged'
  readonly branch: string
  readonly title: string
  /** Text of its author; at most 20,000 characters. */
  readonly text: string
  readonly receivedAt: string
}

/**
 * Receives events of hosted repos, in the transaction that stores the webhook: it is acknowledged when that is committed, and
 * each event arrives once. A listener that cannot use an event changes
 * nothing; an error makes the webhook be refused and sent again.
 */
export interface CodeHostingListener {
  /** Returns the ids of changed records. */
  pushed?(push: CodePush, tx: Transaction): Promise<readonly string[]>
  /** Returns the ids of changed records. */
  pullRequest?(pullRequest: CodePullRequest, tx: Transaction): Promise<readonly string[]>
}
/** Contributes a use of code hosting webhooks, in the operator's own tenant. */
export const codeHosting = defineContribution<CodeHostingListener>('webhooks.code-hosting')
