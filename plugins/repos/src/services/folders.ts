import { resolve } from 'node:path'
import { gatewayInfo, provide } from '@gateway/sdk'
import { type RepoFolder, repoFolders } from '../api.ts'
import { foldersOf } from '../rules/folders.ts'
import { operatorFiles, seesFiles } from './operator-files.ts'

export const repoFoldersProvider = provide(repoFolders, {
  uses: { files: operatorFiles, gateway: gatewayInfo },
  create({ files, gateway }, ctx) {
    const all = async (): Promise<readonly RepoFolder[]> => (seesFiles(ctx) ? foldersOf(gateway.root, (await files.list.read()) ?? []) : [])
    return {
      all,
      master: async () => (await all())[0],
      async find(nameOrFolder) {
        const known = await all()
        return known.find(({ name }) => name === nameOrFolder) ?? known.find(({ folder }) => folder === resolve(nameOrFolder))
      },
    }
  },
})
