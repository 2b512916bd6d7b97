import { pluginSuite } from '@gateway/sdk/testing'
import jobHistory from '../src/index.ts'

pluginSuite(jobHistory, { folder: import.meta.dirname })
