import { pluginSuite } from '@gateway/sdk/testing'
import pluginTools from '../src/index.ts'

pluginSuite(pluginTools, { folder: import.meta.dirname })
