import { provideProcess } from '@gateway/sdk'
import { config, foldersOf } from '../config.ts'
import { Library, library } from '../operations/library.ts'

export const libraryProvider = provideProcess(library, { uses: { config }, create: ({ config }) => new Library(foldersOf(config)) })
