import { defineCommand, definePlugin } from '@gateway/sdk'

/**
 * The runner: a client of the gateway that works on tasks, one process per machine or more. A run’s life:
 *
 * 1. A slot of a lane takes a slot lease, and claims a task under a short lease that it extends while it works.
 * 2. The run gets a worktree on the branch of the task, and the setup of the repo runs in it.
 * 3. The agent works in a process group of its own. Its output goes to the log of the task.
 * 4. Work that the agent left uncommitted is committed, and the check of the repo decides.
 * 5. The branch is delivered, and the task goes to review with the diff; a failure goes to tasks_fail with its class.
 * 6. The worktree is removed. Work that was not delivered is kept as a branch `rescue/…`, with which the next run of the task begins.
 * 7. If the runner dies, its agent dies with it, and the next runner of the machine does the rest.
 */
export default definePlugin({
  id: 'runner',
  sdk: '^1.0.0',
  description: 'The command gateway runner, which takes tasks from the queue and works on them with an agent.',
  commands: [
    defineCommand('runner', {
      summary: 'Work on tasks with an agent: start, once, status or drain.',
      load: () => import('./commands/runner.ts'),
    }),
  ],
})
