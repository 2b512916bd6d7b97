import repos from '@gateway/plugin-repos'
import state from '@gateway/plugin-state'
import { pluginSuite } from '@gateway/testing'
import context from '../src/index.ts'

pluginSuite(context, { folder: import.meta.dirname, with: [repos, state] })
