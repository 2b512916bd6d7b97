import { isAbsolute, join } from 'node:path'
import { gatewayInfo, isToolError, provideProcess } from '@gateway/sdk'
import { type Git, type GitStatus, git } from '../api.ts'
import { config } from '../config.ts'
import { HelperProcess } from '../operations/helper-process.ts'
import { HooksFolder } from '../operations/hooks-folder.ts'
import { repositoryAt } from '../operations/repository.ts'
import { workTreeAt } from '../operations/work-tree.ts'
import { folderName } from '../rules/names.ts'

export const gitProvider = provideProcess(git, {
  uses: { config, gateway: gatewayInfo },
  create: ({ config, gateway }): Git & AsyncDisposable => {
    const helper = new HelperProcess(config)
    const packs = { program: config.program, limits: config.limits, hooks: new HooksFolder(join(gateway.dataDir, 'git-hooks')) }
    const folder = config.brains ?? join(gateway.dataDir, 'brains')
    return {
      status,
      brain: (tenantId) => repositoryAt(join(folder, folderName(tenantId)), helper, packs),
      workTree(at) {
        if (!isAbsolute(at)) throw new Error(`a work tree must be an absolute path; got ${JSON.stringify(at)}`)
        return workTreeAt(at, helper)
      },
      [Symbol.asyncDispose]: () => helper[Symbol.asyncDispose](),
    }

    async function status({ probe = false } = {}): Promise<GitStatus> {
      const running = (): Pick<GitStatus, 'running' | 'pid'> =>
        helper.pid === undefined ? { running: false } : { running: true, pid: helper.pid }
      if (!probe && helper.pid === undefined) return { available: true, ...running() }
      try {
        return { available: true, version: await helper.version(), ...running() }
      } catch (error) {
        if (!isToolError(error)) throw error
        return { available: false, reason: error.message, ...running() }
      }
    }
  },
})
