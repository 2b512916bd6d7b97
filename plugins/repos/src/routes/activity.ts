import { ACTIVITY_ROWS, activityMembers, closed, collectActivity, DAY_MS, defineRoute, repoActivity, repoText, Type } from '@gateway/sdk'

const DAYS = 30

export const reposActivity = defineRoute({
  name: 'repos.activity',
  description: 'Returns what is worked on in a repo, what ended there, failed and was learned, and the messages to it.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/repos/:repo/activity',
  input: Type.Object(
    {
      repo: repoText(200, { description: 'Name of the repo, registered or not.' }),
      limit: ACTIVITY_ROWS.argument,
    },
    closed,
  ),
  output: Type.Object({ repo: Type.String(), since: Type.String(), ...activityMembers }, closed),
  uses: { sources: repoActivity },
  async handle({ repo, limit }, { sources }, ctx) {
    const since = new Date(ctx.now().getTime() - DAYS * DAY_MS).toISOString()
    return { repo, since, ...(await collectActivity(sources, { name: repo, limit: ACTIVITY_ROWS.of(limit), since })) }
  },
})
