import { type ConfinedCall, type Confinement, defined } from '@gateway/sdk'

/** A claim whose worker hands a key to an agent. */
export interface Claim {
  readonly taskId: string
  readonly claimId: string
  readonly repo: string
  /** Agent that the key was issued for, if its worker named one. */
  readonly agent: string | undefined
}

/** Calls of models. Their headers name no other task or agent, because these arguments come first. */
const MODEL_CALLS = ['chat', 'messages', 'responses', 'embeddings', 'count-tokens'] as const

/**
 * Operations that the key of a task may call: the task itself, the memory of its repo, mail under the name of the task, and models on
 * the account of the task.
 */
export function confinementFor({ taskId, claimId, repo, agent }: Claim): Confinement {
  const task = (...free: readonly string[]): ConfinedCall => ({ fixed: { taskId }, free })
  const models: ConfinedCall = { fixed: { taskId, ...defined({ agent }) }, free: agent === undefined ? ['agent', 'beta'] : ['beta'] }
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
    'model-endpoint.models': { fixed: {}, free: ['limit', 'after_id', 'before_id'] },
    'model-endpoint.model': { fixed: {}, free: ['model'] },
    ...Object.fromEntries(MODEL_CALLS.map((name) => [`model-endpoint.${name}`, models])),
    mail_send: { fixed: { from: taskId }, free: ['to', 'kind', 'subject', 'body', 'replyTo', 'idempotencyKey'] },
  }
}
