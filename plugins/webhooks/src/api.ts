import { defineContribution, type Transaction } from '@gateway/sdk'

/** A repo as code hosting names it. */
export interface HostedRepo {
  /** As its folder is called: `gateway` of `acme/gateway`. */
  readonly name: string
  readonly fullName: string
}

/** A branch or a tag was pushed. Times are ISO 8601 in UTC. */
export interface CodePush {
  readonly repo: HostedRepo
  readonly branch?: string
  readonly tag?: string
  /** The commit it stands at; undefined where it was deleted. */
  readonly commit?: string
  /** Who pushed, as code hosting names them. */
  readonly by?: string
  readonly receivedAt: string
}

/** A pull request was opened, changed or closed. */
export interface CodePullRequest {
  readonly repo: HostedRepo
  readonly number: number
  readonly url: string
  readonly state: 'open' | 'closed' | 'merged'
  readonly branch: string
  readonly title: string
  /** What its author wrote; at most 20,000 characters. */
  readonly text: string
  readonly receivedAt: string
}

/**
 * Hears of what happens to hosted repos, in the transaction in which the webhook is kept: it is acknowledged when that is
 * committed, and each is told once. What cannot use it changes nothing; what throws has the webhook refused and sent again.
 */
export interface CodeHostingListener {
  /** The ids of what it changed. */
  pushed?(push: CodePush, tx: Transaction): Promise<readonly string[]>
  /** The ids of what it changed. */
  pullRequest?(pullRequest: CodePullRequest, tx: Transaction): Promise<readonly string[]>
}
/** Make use of the webhooks of code hosting: in the operator’s own tenant. */
export const codeHosting = defineContribution<CodeHostingListener>('webhooks.code-hosting')
