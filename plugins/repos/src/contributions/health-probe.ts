import { isAbsolute } from 'node:path'
import { contribute, healthProbe } from '@gateway/sdk'
import { operatorFiles } from '../services/operator-files.ts'

/** Checks that the list of managed repos can be read and its folders exist. A missing list names none. */
export const reposProbe = contribute(healthProbe, {
  uses: { files: operatorFiles },
  create: ({ files }) => ({
    name: 'repos',
    async check() {
      const managed = await files.list.read().catch(() => null)
      if (managed === null) return { status: 'degraded', error: 'the list of managed repos cannot be read' }
      const folders = (managed ?? []).flatMap(({ path }) => (isAbsolute(path) ? [path] : []))
      const missing = (await files.checks.ofAll(folders)).filter(({ exists }) => !exists).length
      const figures = { managed: folders.length, missing }
      return missing === 0
        ? { status: 'healthy', ...figures }
        : { status: 'degraded', ...figures, error: `${missing} of their folders are missing` }
    },
  }),
})
