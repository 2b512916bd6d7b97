import { pluginSuite } from '@gateway/testing'
import backlog from '../src/index.ts'

pluginSuite(backlog, { folder: import.meta.dirname })
