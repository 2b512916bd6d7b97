import trash from '@gateway/plugin-trash'
import { pluginSuite } from '@gateway/testing'
import tasks from '../src/index.ts'

pluginSuite(tasks, { folder: import.meta.dirname, with: [trash] })
