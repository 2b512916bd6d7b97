import { pluginSuite } from '@gateway/testing'
import trash from '../src/index.ts'

pluginSuite(trash, { folder: import.meta.dirname })
