import { pluginSuite } from '@gateway/testing'
import schedules from '../src/index.ts'

pluginSuite(schedules, { folder: import.meta.dirname })
