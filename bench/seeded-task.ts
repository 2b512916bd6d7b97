import { derived } from '../plugins/tasks/src/rules/stage.ts'
import { PRIORITIES } from '../plugins/tasks/src/schema.ts'

const FIRST = Date.parse('2026-01-01T00:00:00.000Z')

/** Returns a task as tasks_create would have stored it. */
export function seededTask(repo: string, index: number): object {
  const at = new Date(FIRST + index)
  const createdAt = at.toISOString()
  return derived(
    {
      taskId: `task-seed${String(index).padStart(9, '0')}`,
      repo,
      title: `Seeded task ${index}`,
      priority: PRIORITIES[index % PRIORITIES.length] ?? 'P2',
      status: 'pending',
      source: 'manual',
      dependsOn: [],
      createdAt,
      updatedAt: createdAt,
      outputTokens: 0,
      retryCount: 0,
      pacingDeferCount: 0,
      routeExhaustedCount: 0,
      noopDispatchCount: 0,
      waitingOn: 0,
      dependents: 0,
    },
    at,
  )
}
