import { pluginSuite } from '@gateway/sdk/testing'
import repos from '../src/index.ts'

pluginSuite(repos, { folder: import.meta.dirname })
