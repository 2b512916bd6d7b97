import { defineContribution, type Transaction } from '@gateway/sdk'

export interface HostedRepo {
  /** Name in records: `gateway` of `acme/gateway`, unless the family that keeps repos knows its remote under another name. */
  readonly name: string
  /** Names of the repo in older records, which no other repo has. */
  readonly otherNames?: readonly string[]
  readonly fullName: string
  /** Addresses of its git remote, http before ssh; absent if the code host tells none. */
  readonly remotes?: readonly string[]
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
  /** Its new commits in order, as the host lists them; at most 200. */
  readonly commits?: readonly PushedCommit[]
  readonly receivedAt: string
}
export interface PushedCommit {
  readonly id: string
  /** At most 20,000 characters. */
  readonly message: string
  /** ISO 8601 in UTC. */
  readonly at: string
}

export interface CodePullRequest {
  readonly repo: HostedRepo
  readonly number: number
  readonly url: string
  readonly state: 'open' | 'closed' | 'merged'
  readonly branch: string
  /** Branch that it is to be merged into; '' if the code host does not tell it. */
  readonly base: string
  /** False if its author may be anybody: it comes from a fork, and the code host does not count its author to the repo. */
  readonly isInside: boolean
  /** Its latest commit. */
  readonly commit?: string
  readonly title: string
  /** Text of its author; at most 20,000 characters. */
  readonly text: string
  readonly receivedAt: string
}

/** A check of a commit that has ended, such as a workflow or a commit status. */
export interface CodeCheck {
  readonly repo: HostedRepo
  /** Name of the check, workflow or status context. */
  readonly name: string
  readonly failed: boolean
  readonly commit: string
  /** Branch of the repo; absent for one of a fork. */
  readonly branch?: string
  /** URLs of the pull requests that the code host names; it names none of forks and of commit statuses. */
  readonly pullRequests: readonly string[]
  readonly url?: string
  /** At most 500 characters. */
  readonly summary?: string
  readonly receivedAt: string
}

/** A review that was submitted, or a comment on a pull request, by somebody of the repo. */
export interface CodeReview {
  readonly repo: HostedRepo
  /** Page of the pull request. */
  readonly pullRequest: string
  /** Branch of the pull request; '' if it came from outside the repo. */
  readonly branch: string
  /** False for a comment, which asks for nothing by itself. */
  readonly changesRequested: boolean
  /** Author, as code hosting names them. */
  readonly by?: string
  /** At most 8,000 characters; absent if the reviewer wrote none. */
  readonly text?: string
  /** Place in the changes that the comment is about. */
  readonly file?: string
  readonly line?: number
  readonly url?: string
  readonly receivedAt: string
}

/**
 * Receives events of hosted repos, in the transaction that stores the webhook: it is acknowledged when that is committed, and
 * each event arrives once. A listener that cannot use an event changes nothing; an error makes the webhook be refused and sent
 * again.
 */
export interface CodeHostingListener {
  /** Returns the ids of changed records. */
  pushed?(push: CodePush, tx: Transaction): Promise<readonly string[]>
  /** Returns the ids of changed records. */
  pullRequest?(pullRequest: CodePullRequest, tx: Transaction): Promise<readonly string[]>
  /** Returns the ids of changed records. */
  checked?(check: CodeCheck, tx: Transaction): Promise<readonly string[]>
  /** Returns the ids of changed records. */
  reviewed?(review: CodeReview, tx: Transaction): Promise<readonly string[]>
}
/** Contributes a use of code hosting webhooks, in the operator's own tenant. */
export const codeHosting = defineContribution<CodeHostingListener>('webhooks.code-hosting')

/**
 * Says which repo of the records a hosted one is, by its git remote: two remotes may end alike. Contributed by the family that
 * keeps repos, and asked before the transaction that stores the webhook.
 */
export interface HostedRepoNames {
  /** Returns the name first, then the other names; none if it cannot tell, so that the name of the code host counts. */
  namesOf(repo: HostedRepo, purpose: { readonly stores: boolean }): Promise<readonly string[]>
}
export const hostedRepoNames = defineContribution<HostedRepoNames>('webhooks.repo-names')
