import { contribute, searchSource } from '@gateway/sdk'
import { nearest } from '@gateway/sdk/near'
import { jobs } from '../collections.ts'

const LATEST_RUNS_COMPARED = 300

export const runSearch = contribute(searchSource, {
  uses: { jobs },
  create: ({ jobs }) => ({
    kind: 'run',
    async find(query, limit) {
      const { items } = await jobs.find({ sort: { startedAtMs: -1, jobId: -1 }, limit: LATEST_RUNS_COMPARED })
      const text = ({ resultLine = '', repo = '', taskId = '' }: (typeof items)[number]) => `${resultLine} ${repo} ${taskId}`
      return nearest(query, items, text, limit).map(({ jobId, resultLine, repo, status, taskId, recordedAt }) => ({
        id: jobId,
        title: resultLine ?? `Run in ${repo ?? 'no repo'}`,
        text: `${status ?? 'ended'}${repo === undefined ? '' : ` in ${repo}`}`,
        at: recordedAt,
        link: taskId === undefined ? { to: '/jobs', with: { q: query } } : { to: '/tasks/:taskId', with: { taskId } },
      }))
    },
  }),
})
