import { contribute, type DoctorFinding, doctorCheck } from '@gateway/sdk'
import { config, foldersOf } from '../config.ts'
import { filesOf, readFiles } from '../operations/folders.ts'
import { KINDS } from '../rules/definition.ts'

export const definitionsCheck = contribute(doctorCheck, {
  uses: { config },
  create: ({ config }) => ({
    name: 'agents and skills',
    async check() {
      const { files, missing, leftOut } = await filesOf(foldersOf(config))
      const faults: DoctorFinding[] = missing.map((folder) => ({
        outcome: 'warn',
        detail: `${folder} does not exist`,
        fix: 'create the folder, or remove it from plugins.agents.dirs',
      }))
      const { set, leftOut: faulty } = await readFiles(files)
      for (const { file, reason } of leftOut)
        faults.push({
          outcome: 'warn',
          detail: `${file} is read in part: ${reason}`,
          fix: 'split the folder and list its parts in plugins.agents.dirs',
        })
      for (const { file, reason } of faulty)
        faults.push({ outcome: 'warn', detail: `${file} is left out: ${reason}`, fix: 'correct the file or remove it' })
      const counts = KINDS.map((kind) => `${set[kind].size} ${kind}s`).join(', ')
      return faults.length > 0 ? faults : { outcome: 'ok', detail: counts }
    },
  }),
})
