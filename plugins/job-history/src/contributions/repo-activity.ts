import { contribute, cutText, defined, repoActivity } from '@gateway/sdk'
import { jobs } from '../collections.ts'
import { type Job, STATUSES } from '../schema.ts'

const MAX_ERROR = 500

const deed = ({ jobId, resultLine, model, recordedAt, errorExcerpt, taskId }: Job) => ({
  kind: 'run',
  id: jobId,
  title: resultLine ?? (model === undefined ? 'A run' : `A run of ${model}`),
  at: recordedAt,
  ...defined({ error: errorExcerpt && cutText(errorExcerpt, MAX_ERROR), page: taskId && `/tasks/${encodeURIComponent(taskId)}` }),
})

export const runsInRepos = contribute(repoActivity, {
  uses: { jobs },
  create: ({ jobs }) => ({
    async of({ name: repo, limit }) {
      const { items } = await jobs.find({ where: { repo, status: { in: [...STATUSES, null] } }, sort: { startedAtMs: -1 }, limit })
      return {
        did: items.filter(({ status }) => status !== 'failed').map(deed),
        failed: items.filter(({ status }) => status === 'failed').map(deed),
      }
    },
  }),
})
