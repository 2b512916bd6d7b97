import { pluginSuite } from '@gateway/testing'
import jobHistory from '../src/index.ts'

pluginSuite(jobHistory, { folder: import.meta.dirname })
