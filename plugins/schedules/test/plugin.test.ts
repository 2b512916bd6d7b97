import { pluginSuite } from '@gateway/sdk/testing'
import schedules from '../src/index.ts'

pluginSuite(schedules, { folder: import.meta.dirname })
