import type { ConfinedCall, Confinement } from '@gateway/sdk'

/** A claim whose worker hands a key to an agent. */
export interface Claim {
  readonly taskId: string
  readonly claimId: string
  readonly repo: string
}

/** Operations that the key of a task may call: the task itself, the memory of its repo, and mail under the name of the task. */
export function confinementFor({ taskId, claimId, repo }: Claim): Confinement {
  const task = (...free: readonly string[]): ConfinedCall => ({ fixed: { taskId }, free })
  const memory = (...free: readonly string[]): ConfinedCall => ({ fixed: { repo }, free })
  return {
    'tasks.get': task(),
    tasks_list: task(),
    tasks_update: { fixed: { taskId, claimId }, free: ['notes', 'ifUpdatedAt'] },
    artifacts_list: task(),
    artifacts_register: { fixed: { taskId, repo }, free: ['kind', 'filename', 'contentType', 'content', 'idempotencyKey'] },
    context_boot: memory('query', 'expandLimit', 'budget'),
    memory_search: memory('query', 'source', 'tags', 'limit'),
    memory_context: memory('query', 'limit'),
    memory_store: memory('content', 'source', 'tags', 'occurredAt', 'validUntil', 'idempotencyKey'),
    state_read: memory('file'),
    handoff_read: memory('history'),
    mail_inbox: { fixed: { to: taskId }, free: ['includeAcked', 'limit', 'waitSeconds'] },
    mail_ack: { fixed: {}, free: ['id'] },
    mail_send: { fixed: { from: taskId }, free: ['to', 'kind', 'subject', 'body', 'replyTo', 'idempotencyKey'] },
  }
}
