import { pluginSuite } from '@gateway/testing'
import memory from '../src/index.ts'

pluginSuite(memory, { folder: import.meta.dirname })
