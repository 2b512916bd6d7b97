import { pluginSuite } from '@gateway/testing'
import dashboard from '../src/index.ts'

pluginSuite(dashboard, { folder: import.meta.dirname })
