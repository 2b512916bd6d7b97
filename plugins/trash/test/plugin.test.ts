import { pluginSuite } from '@gateway/sdk/testing'
import trash from '../src/index.ts'

pluginSuite(trash, { folder: import.meta.dirname })
