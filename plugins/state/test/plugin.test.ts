import repos from '@gateway/plugin-repos'
import { pluginSuite } from '@gateway/testing'
import state from '../src/index.ts'

pluginSuite(state, { folder: import.meta.dirname, with: [repos] })
