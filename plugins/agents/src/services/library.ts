import { resolve } from 'node:path'
import { provideProcess } from '@gateway/sdk'
import { bundledFolder, config } from '../config.ts'
import { Library, library } from '../operations/library.ts'

export const libraryProvider = provideProcess(library, {
  uses: { config },
  create: ({ config }) =>
    new Library([
      { path: bundledFolder, origin: 'bundled' },
      ...config.dirs.map((path) => ({ path: resolve(path), origin: 'folder' as const })),
    ]),
})
