import { healthFigures } from '@gateway/plugin-health/api'
import { contribute } from '@gateway/sdk'
import { roster } from '../collections.ts'
import { operatorFiles, seesFiles } from '../services/operator-files.ts'

const MAX_COUNT = 10_000

/** Number of managed repos: those of the list, for the tenant that sees it, and those of the roster. */
export const repoFigures = contribute(healthFigures, {
  uses: { roster, files: operatorFiles },
  create: ({ roster, files }, ctx) => ({
    name: 'repos',
    async figures() {
      const managed = seesFiles(ctx) ? ((await files.list.read()) ?? []).length : 0
      return { managed, roster: await roster.count({}, { max: MAX_COUNT }) }
    },
  }),
})
