import { contribute, gettingStarted } from '@gateway/sdk'
import { machines } from '../collections.ts'

export const startRunner = contribute(gettingStarted, {
  uses: { machines },
  create: ({ machines }) => ({
    id: 'start-runner',
    order: 30,
    title: 'Start a runner',
    text: 'A runner takes tasks from the queue and lets a coding agent work on each in a branch of its own. Start it in a clone of your repo. Without a runner.json the agent is Claude Code, which must be installed and signed in.',
    snippets: [{ label: 'Command line', code: 'gateway runner start' }],
    link: { to: '/runners' },
    isDone: async () => (await machines.count({}, { max: 1 })) > 0,
  }),
})
