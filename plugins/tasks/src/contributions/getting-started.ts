import { contribute, gettingStarted } from '@gateway/sdk'
import { tasks } from '../collections.ts'

export const createTask = contribute(gettingStarted, {
  uses: { tasks },
  create: ({ tasks }) => ({
    id: 'create-task',
    order: 20,
    title: 'Create a task',
    text: 'Put work into the queue, where agents and runners claim it.',
    snippets: [{ label: 'Command line', code: 'gateway call tasks_create --arg repo=web --arg title="Write a greeting"' }],
    link: { to: '/tasks' },
    isDone: async () => (await tasks.count({}, { max: 1 })) > 0,
  }),
})
